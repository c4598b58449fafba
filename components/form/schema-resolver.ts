import { zodResolver } from "@hookform/resolvers/zod";
import type { FieldValues } from "react-hook-form";
import type { z } from "zod";

const MONEY_STEP = 0.000001;

/** The contract's limits in the words of a form; null leaves the contract's own. */
function inWords(issue: z.core.$ZodRawIssue): string | null {
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

export const schemaResolver = <Input extends FieldValues, Output>(schema: z.ZodType<Output, Input>) =>
  zodResolver(schema, { error: inWords });
