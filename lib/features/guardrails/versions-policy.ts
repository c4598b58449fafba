import type { z } from "zod";
import { GuardrailFields } from "../../engine/policy/contract";

type Fields = z.output<typeof GuardrailFields>;

const NAMES = GuardrailFields.keyof().options;

/** True for null, an empty list and a switch that is off. */
const isUnset = (value: unknown) => value === null || value === false || (Array.isArray(value) && value.length === 0);

/** Returns the fields changed since the previous revision; for the first, all fields that are set. */
export function changedFields(before: Fields | null, after: Fields): string[] {
  return NAMES.filter((name) =>
    before ? JSON.stringify(before[name]) !== JSON.stringify(after[name]) : !isUnset(after[name]),
  );
}
