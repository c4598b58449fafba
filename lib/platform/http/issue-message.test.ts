import { expect, it } from "vitest";
import { z } from "zod";
import { issueMessage } from "./issue-message";

it.each<[z.ZodType, unknown, string]>([
  [z.string(), 1, "must be a string"],
  [z.string(), undefined, "is required"],
  [z.number(), "warm", "must be a number"],
  [z.number().int(), 1.5, "must be a whole number"],
  [z.boolean(), "yes", "must be true or false"],
  [z.array(z.string()), {}, "must be a list"],
  [z.object({}), [], "must be an object"],
  [z.record(z.string(), z.string()), 1, "must be an object"],
  [z.literal(false), true, "must be false"],
  [z.enum(["x", "y"]), "z", "must be one of x, y"],
  [z.string().min(1), "", "must have at least 1 character"],
  [z.array(z.string()).max(2), ["a", "b", "c"], "must have at most 2 entries"],
  [z.number().min(1), 0, "must be at least 1"],
  [z.number().gt(1), 1, "must be greater than 1"],
  [z.number().max(1000), 2000, "must be at most 1,000"],
  [z.number().multipleOf(0.5), 0.3, "must be a multiple of 0.5"],
  [z.uuid(), "x", "must be a UUID"],
  [z.url(), "x", "must be an http or https URL"],
  [z.email(), "x", "must be an email address"],
  [z.iso.datetime(), "x", "must be a time in ISO 8601"],
  [z.union([z.string(), z.number()]), true, "has an unsupported type"],
  [z.string().regex(/a/, "must contain an a"), "b", "must contain an a"],
])("%#: %s", (schema, value, message) => {
  const { error } = schema.safeParse(value, { error: issueMessage });
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});
