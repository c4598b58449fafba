import type { z } from "zod";
import { invalid } from "../../platform/api-error";
import { issueMessage } from "../../platform/http/issue-message";
import { toIssues } from "../../platform/http/issues";

/** Validates the attributes of a resource; throws one 400 with every problem. */
export function validated<Schema extends z.ZodType>(
  schema: Schema,
  attributes: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const { data, error } = schema.safeParse(attributes, { error: issueMessage });
  if (error) throw invalid(error.issues.flatMap((issue) => toIssues(issue)));
  return data;
}
