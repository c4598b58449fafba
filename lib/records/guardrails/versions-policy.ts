import type { z } from "zod";
import { GuardrailFields } from "./contract";

type Fields = z.output<typeof GuardrailFields>;

const NAMES = GuardrailFields.keyof().options;

/** Null, an empty list and a switch that is off all leave a field unset. */
const isUnset = (value: unknown) => value === null || value === false || (Array.isArray(value) && value.length === 0);

/** The fields in which a revision differs from the one before it; of the first, all that it sets. */
export function changedFields(before: Fields | null, after: Fields): string[] {
  return NAMES.filter((name) =>
    before ? JSON.stringify(before[name]) !== JSON.stringify(after[name]) : !isUnset(after[name]),
  );
}
