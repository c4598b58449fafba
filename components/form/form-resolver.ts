import { zodResolver } from "@hookform/resolvers/zod";
import type { FieldValues, Resolver } from "react-hook-form";
import type { z } from "zod";

const MONEY_STEP = 0.000001;

/** A message for people; null keeps the contract's own. */
function formMessage(issue: z.core.$ZodRawIssue): string | null {
  if (issue.code === "too_small" && issue.origin === "string")
    return issue.minimum === 1 ? "Fill this in" : `At least ${issue.minimum} characters`;
  if (issue.code === "too_small" && issue.origin === "number") return `Not less than ${issue.minimum}`;
  if (issue.code === "too_big" && issue.origin === "string") return `At most ${issue.maximum} characters`;
  if (issue.code === "too_big" && issue.origin === "array") return `At most ${issue.maximum} entries`;
  if (issue.code === "too_big" && issue.origin === "number")
    return `Not more than ${issue.maximum.toLocaleString("en")}`;
  if (issue.code === "invalid_type" && issue.expected === "number") return "Enter a number";
  if (issue.code === "not_multiple_of" && issue.divisor === MONEY_STEP) return "At most 6 decimals";
  return null;
}

/** Validates a form by the schema that the server validates its request by. */
export const formResolver = <Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> => zodResolver(schema, { error: formMessage });
