import type { z } from "zod";
import { invalid } from "../../platform/api-error";
import { validate } from "../../platform/http/validate";

/** Validates the attributes of a resource; throws one 400 with every problem. */
export function validated<Schema extends z.ZodType>(
  schema: Schema,
  attributes: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const { data, issues } = validate(schema, attributes);
  if (data === undefined) throw invalid(issues);
  return data;
}
