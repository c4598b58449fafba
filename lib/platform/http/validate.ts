import type { z } from "zod";
import type { Issue } from "../api-error";
import { issueMessage } from "./issue-message";
import { toIssues } from "./issues";

/** Maximum number of messages, including those for the branches of unions, after which a validation stops. */
const MAX_MESSAGES = 1000;
/** Number of items of each list that are validated again to report problems after a validation stopped. */
const SAMPLE_ITEMS = 8;

/** Number of fields of each object that are validated again. */
const SAMPLE_FIELDS = 200;

class TooManyMessages extends Error {}

/** Returns the first items of each list and the first fields of each object, at the same paths. */
const sample = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, SAMPLE_ITEMS).map(sample);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, SAMPLE_FIELDS)
      .map(([name, child]) => [name, sample(child)]),
  );
};

/** Validates a value in bounded time: after many problems, only problems of the first items and fields are reported. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { data: z.output<Schema>; issues: readonly Issue[] } | { data: undefined; issues: readonly Issue[] } {
  let messages = 0;
  const count = (issue: z.core.$ZodRawIssue) => {
    messages += 1;
    if (messages > MAX_MESSAGES) throw new TooManyMessages();
    return issueMessage(issue);
  };
  try {
    const { data, error } = schema.safeParse(value, { error: count });
    return error ? { data: undefined, issues: error.issues.flatMap((issue) => toIssues(issue)) } : { data, issues: [] };
  } catch (error) {
    if (!(error instanceof TooManyMessages)) throw error;
    const issues =
      schema.safeParse(sample(value), { error: issueMessage }).error?.issues.flatMap((issue) => toIssues(issue)) ?? [];
    return {
      data: undefined,
      issues: issues.length > 0 ? issues : [{ path: [], message: "has too many problems", code: "too_many_issues" }],
    };
  }
}
