import { zodResolver } from "@hookform/resolvers/zod";
import type { FieldValues, Resolver } from "react-hook-form";
import type { z } from "zod";
import { fieldName } from "./path-label";

const MONEY_STEP = 0.000001;

const required = (name: string): string => `${name} ${/[^su]s$/.test(name) ? "are" : "is"} required`;

/** User-facing message for a schema issue; null keeps the schema's own. */
function formMessage(issue: z.core.$ZodRawIssue): string | null {
  if (issue.code === "invalid_format" && issue.input === "") return required(fieldName(issue.path ?? []));
  if (issue.code === "invalid_format" && issue.format === "url") return "Must be an http or https URL";
  if (issue.code === "too_small" && issue.origin === "string")
    return issue.minimum === 1 ? required(fieldName(issue.path ?? [])) : `Must be at least ${issue.minimum} characters`;
  if (issue.code === "too_small" && issue.origin === "number") return `Must be at least ${issue.minimum}`;
  if (issue.code === "too_big" && issue.origin === "string") return `Must be at most ${issue.maximum} characters`;
  if (issue.code === "too_big" && issue.origin === "array") return `Must have at most ${issue.maximum} entries`;
  if (issue.code === "too_big" && issue.origin === "number")
    return `Must be at most ${issue.maximum.toLocaleString("en")}`;
  if (issue.code === "invalid_type" && issue.expected === "number") return "Must be a number";
  if (issue.code === "invalid_type" && issue.expected === "int") return "Must be a whole number";
  if (issue.code === "not_multiple_of" && issue.divisor === MONEY_STEP) return "Must have at most 6 decimal places";
  return null;
}

/** Validates a form with the schema the server validates the request with. */
export const formResolver = <Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> => zodResolver(schema, { error: formMessage });
