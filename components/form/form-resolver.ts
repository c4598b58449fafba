import { zodResolver } from "@hookform/resolvers/zod";
import type { FieldValues, Resolver } from "react-hook-form";
import type { z } from "zod";
import { issueMessage } from "@/lib/platform/http/issue-message";
import { fieldName } from "./path-label";

const MONEY_STEP = 0.000001;

const required = (name: string): string => `${name} ${/[^su]s$/.test(name) ? "are" : "is"} required`;

/** Message for a schema issue: the form's wording, or the API's; null keeps the schema's own. */
function formMessage(issue: z.core.$ZodRawIssue): string | null {
  if (issue.input === "") return required(fieldName(issue.path ?? []));
  // A blank number. The message leaves out the field's name, because labels have units: "Window (minutes)".
  if (issue.input === null && issue.code === "invalid_type") return "A value is required";
  if (issue.code === "not_multiple_of" && issue.divisor === MONEY_STEP) return "must have at most 6 decimal places";
  return issueMessage(issue) ?? null;
}

/** Validates a form with the server's schema of the request. */
export const formResolver = <Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> => zodResolver(schema, { error: formMessage });
