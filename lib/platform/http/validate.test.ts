import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ChatCompletionsBody, ResponsesBody } from "../../gateway/contract";
import { validate } from "./validate";

const Item = z.union([z.object({ type: z.literal("a"), text: z.string() }), z.object({ type: z.literal("b") })]);

it("returns the data, or every problem", () => {
  expect(validate(z.object({ a: z.number().default(3) }), {})).toEqual({ data: { a: 3 }, issues: [] });
  const { data, issues } = validate(z.object({ items: z.array(Item) }), {
    items: Array<object>(50).fill({ type: "a" }),
  });
  expect([data, issues.length, issues[49]?.path]).toEqual([undefined, 50, ["items", 49, "text"]]);
});

it("reports the problems of the first items when there are too many", () => {
  const { issues } = validate(z.object({ items: z.array(Item) }), { items: Array<object>(5000).fill({ type: "a" }) });
  expect(issues.map(({ path }) => path)).toEqual(Array.from({ length: 8 }, (_, index) => ["items", index, "text"]));
});

it("is never valid when it stopped", () => {
  const items = [...Array<object>(100).fill({ type: "b" }), ...Array<object>(5000).fill({ type: "a" })];
  expect(validate(z.object({ items: z.array(Item) }), { items })).toMatchObject({
    data: undefined,
    issues: [{ code: "too_many_issues" }],
  });
});

it.each<[string, z.ZodType, object, string, string]>([
  ["a list", ChatCompletionsBody, {}, "messages", "is required"],
  ["a union", ChatCompletionsBody, { messages: [{ role: "user" }] }, "messages.0.content", "is required"],
  ["a kind", ChatCompletionsBody, { messages: [{}] }, "messages.0.role", "is required"],
  ["a field of a kind", ResponsesBody, { input: "a", tools: [{ type: "function" }] }, "tools.0.name", "is required"],
  ["a choice", z.object({ a: z.enum(["x", "y"]) }), {}, "a", "is required: one of x, y"],
  ["a constant", z.object({ a: z.literal(1) }), {}, "a", "is required"],
  ["null", z.object({ a: z.string() }), { a: null }, "a", "Invalid input: expected string, received null"],
])("a missing field: %s", (_name, schema, value, path, message) => {
  const { issues } = validate(schema, value);
  expect(issues.map((issue) => [issue.path.join("."), issue.message])).toEqual([[path, message]]);
});

describe("the time of a hostile request of 50,000 values", () => {
  const many = (value: unknown, count = 25_000) => Array.from({ length: count }, () => value);
  const fields = (value: unknown) => Object.fromEntries(many(value, 1000).map((one, index) => [`k${index}`, one]));
  const chat = (more: object) => ({ model: "a", messages: [{ role: "user", content: "a" }], ...more });
  it.each<[string, z.ZodType, unknown]>([
    ["messages []", ChatCompletionsBody, chat({ messages: many([]) })],
    ["messages {}", ChatCompletionsBody, chat({ messages: many({}) })],
    ["tools {}", ChatCompletionsBody, chat({ tools: many({}) })],
    ["parts {}", ChatCompletionsBody, chat({ messages: [{ role: "user", content: many({}) }] })],
    ["stop", ChatCompletionsBody, chat({ stop: many(1, 50_000) })],
    ["input []", ResponsesBody, { input: many([]) }],
    ["input {}", ResponsesBody, { input: many({}) }],
    ["input of a type", ResponsesBody, { input: many({ type: "message" }) }],
    ["metadata", ResponsesBody, { metadata: fields([]) }],
    ["provider", ResponsesBody, { provider: fields(1) }],
  ])("%s", (_, schema, value) => {
    // Processor time: other processes don't count.
    const rounds = Array.from({ length: 8 }, () => {
      const before = process.cpuUsage();
      expect(validate(schema, value).issues.length).toBeGreaterThan(0);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    });
    expect(Math.min(...rounds)).toBeLessThan(50);
  });
});
