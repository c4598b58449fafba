import { changedFields, type GuardrailField, type GuardrailValues } from "./guardrail-values";

export type Side = "theirs" | "yours";

export interface MergeField {
  field: GuardrailField;
  changedBy: Side | "both";
}

/** Fields that differ between two edits of the same base, and who changed each. */
export function mergeFields(base: GuardrailValues, theirs: GuardrailValues, yours: GuardrailValues): MergeField[] {
  const [byThem, byYou] = [changedFields(base, theirs), changedFields(base, yours)];
  return changedFields(theirs, yours).map((field) => ({
    field,
    changedBy: byThem.includes(field) && byYou.includes(field) ? "both" : byThem.includes(field) ? "theirs" : "yours",
  }));
}

/** Returns their values with the chosen fields replaced by yours. */
export function mergedValues(
  theirs: GuardrailValues,
  yours: GuardrailValues,
  chosen: Partial<Record<GuardrailField, Side>>,
): GuardrailValues {
  const kept = changedFields(theirs, yours).filter((field) => chosen[field] === "yours");
  return { ...theirs, ...Object.fromEntries(kept.map((field) => [field, yours[field]])) };
}
