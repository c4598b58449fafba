import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { validate } from "./validate";
import { growth } from "../../testing/processor-time";

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
  ["null", z.object({ a: z.string() }), { a: null }, "a", "must be a string"],
])("a missing field: %s", (_name, schema, value, path, message) => {
  const { issues } = validate(schema, value);
  expect(issues.map((issue) => [issue.path.join("."), issue.message])).toEqual([[path, message]]);
});

describe("a hostile request of 50,000 values takes linear time", () => {
  const many = (value: unknown, count: number) => Array.from({ length: count }, () => value);
  const fields = (value: unknown, count: number) =>
    Object.fromEntries(many(value, count / 25).map((one, index) => [`k${index}`, one]));
  const chat = (more: object) => ({ model: "a", messages: [{ role: "user", content: "a" }], ...more });
  it.each<[string, z.ZodType, (count: number) => unknown]>([
    ["messages []", ChatCompletionsBody, (count) => chat({ messages: many([], count) })],
    ["messages {}", ChatCompletionsBody, (count) => chat({ messages: many({}, count) })],
    ["tools {}", ChatCompletionsBody, (count) => chat({ tools: many({}, count) })],
    ["parts {}", ChatCompletionsBody, (count) => chat({ messages: [{ role: "user", content: many({}, count) }] })],
    ["stop", ChatCompletionsBody, (count) => chat({ stop: many(1, 2 * count) })],
    ["input []", ResponsesBody, (count) => ({ input: many([], count) })],
    ["input {}", ResponsesBody, (count) => ({ input: many({}, count) })],
    ["input of a type", ResponsesBody, (count) => ({ input: many({ type: "message" }, count) })],
    ["metadata", ResponsesBody, (count) => ({ metadata: fields([], count) })],
    ["provider", ResponsesBody, (count) => ({ provider: fields(1, count) })],
  ])("%s", async (_, schema, value) => {
    expect(validate(schema, value(25_000)).issues.length).toBeGreaterThan(0);
    expect(await growth(25_000, (count) => validate(schema, value(count)))).toBeLessThan(10);
  });
});
