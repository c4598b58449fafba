import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toIssues } from "./issues";

const Sort = z.union([z.enum(["price", "latency"]), z.strictObject({ by: z.enum(["price"]) })]);
const Item = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("file"), id: z.string() }),
]);
const Body = z.strictObject({
  sort: Sort.optional(),
  input: z.union([z.string(), z.array(Item)]).optional(),
  labels: z.record(z.string().max(3, "too long"), z.string()).optional(),
});

const pathsOf = (value: unknown) =>
  Body.safeParse(value)
    .error?.issues.flatMap((issue) => toIssues(issue))
    .map(({ path }) => path.join("."));

describe("toIssues", () => {
  it.each([
    [{ a: 1, b: 2 }, ["a", "b"]],
    [{ sort: "speed" }, ["sort"]],
    [{ sort: 5 }, ["sort"]],
    [{ sort: { by: "speed" } }, ["sort.by"]],
    [{ sort: { by: "price", on: 1 } }, ["sort.on"]],
    [{ input: 5 }, ["input"]],
    [{ input: [5] }, ["input.0"]],
    [{ input: [{ type: "text" }] }, ["input.0.text"]],
    [{ input: [{ type: "song" }] }, ["input.0.type"]],
    [
      { input: [{ type: "text", text: "a" }, { type: "file" }, { type: "text", text: 1 }] },
      ["input.1.id", "input.2.text"],
    ],
    [{ labels: { long: "x" } }, ["labels.long"]],
  ])("of %j has the path %j", (body, paths) => {
    expect(pathsOf(body)).toEqual(paths);
  });

  it("uses the message of a record's key schema", () => {
    const issue = Body.safeParse({ labels: { long: "x" } }).error?.issues[0];
    expect(issue && toIssues(issue)[0]?.message).toBe("too long");
  });
});
