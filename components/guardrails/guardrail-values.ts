import type { z } from "zod";
import type { Guardrail, GuardrailFields } from "@/lib/guardrails/contract";
import { UNRESTRICTED_FIELDS } from "@/lib/guardrails/vocabulary";

/** What the editor edits: every settable field. */
export type GuardrailValues = z.input<typeof GuardrailFields>;
export type GuardrailField = keyof GuardrailValues;

export const EMPTY_VALUES: GuardrailValues = {
  name: "",
  ...UNRESTRICTED_FIELDS,
  content_filter_builtins: [],
  content_filters: [],
};

export const FIELDS = Object.keys(EMPTY_VALUES) as GuardrailField[];

/** A stored guardrail as the editor's values; the labels of builtins are read-only. */
export function toValues(guardrail: Guardrail): GuardrailValues {
  const values = Object.fromEntries(FIELDS.map((field) => [field, guardrail[field]])) as GuardrailValues;
  return {
    ...values,
    content_filter_builtins: (values.content_filter_builtins ?? []).map(({ label: _, ...filter }) => filter),
    content_filters: values.content_filters ?? [],
  };
}

/** The values of a copy; the old switch for all vendors is left behind, what it set stays. */
export const copyOf = (guardrail: Guardrail): GuardrailValues => ({
  ...toValues(guardrail),
  name: `Copy of ${guardrail.name}`,
  enforce_zdr: null,
});

/** The fields in which `values` differs from `base`. */
export function changedFields(base: GuardrailValues, values: GuardrailValues): GuardrailField[] {
  return FIELDS.filter((field) => JSON.stringify(base[field]) !== JSON.stringify(values[field]));
}

export const ZDR_SWITCHES = [
  "enforce_zdr_vendor_a",
  "enforce_zdr_vendor_b",
  "enforce_zdr_vendor_c",
  "enforce_zdr_other",
] as const;

/** What a save sends. The old switch resets the four that are not sent with it. */
export function changes(base: GuardrailValues, values: GuardrailValues): Partial<GuardrailValues> {
  const changed = changedFields(base, values);
  const sent = changed.includes("enforce_zdr") ? new Set([...changed, ...ZDR_SWITCHES]) : changed;
  return Object.fromEntries([...sent].map((field) => [field, values[field]]));
}
