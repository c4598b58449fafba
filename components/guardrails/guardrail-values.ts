import type { z } from "zod";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { type GuardrailFields, UNRESTRICTED_FIELDS } from "@/lib/engine/policy/contract";
import { ZDR_SWITCHES } from "./zdr-switches";

/** The editor's form values: every settable field. */
export type GuardrailValues = z.input<typeof GuardrailFields>;
export type GuardrailField = keyof GuardrailValues;

export const EMPTY_VALUES: GuardrailValues = {
  name: "",
  ...UNRESTRICTED_FIELDS,
  content_filter_builtins: [],
  content_filters: [],
  external_checks: [],
  judges: [],
};

export const FIELDS = Object.keys(EMPTY_VALUES) as GuardrailField[];

/** Converts a stored guardrail to form values, dropping the read-only labels of built-in filters. */
export function toValues(guardrail: Guardrail): GuardrailValues {
  const values = Object.fromEntries(FIELDS.map((field) => [field, guardrail[field]])) as GuardrailValues;
  return {
    ...values,
    content_filter_builtins: (values.content_filter_builtins ?? []).map(({ label: _, ...filter }) => filter),
    content_filters: values.content_filters ?? [],
    external_checks: values.external_checks ?? [],
    judges: values.judges ?? [],
  };
}

/** Form values of a copy, without secrets, and without the deprecated all-vendors field (its effect is in the four others). */
export const copyOf = (guardrail: Guardrail): GuardrailValues => ({
  ...toValues(guardrail),
  name: `Copy of ${guardrail.name}`,
  enforce_zdr: null,
  external_checks: (guardrail.external_checks ?? []).map(({ has_secret: _, ...check }) => check),
});

/** Fields whose value differs between `base` and `values`. */
export function changedFields(base: GuardrailValues, values: GuardrailValues): GuardrailField[] {
  return FIELDS.filter((field) => JSON.stringify(base[field]) !== JSON.stringify(values[field]));
}

/** The body of a save. The deprecated `enforce_zdr` resets those of the four fields that aren't sent with it. */
export function changes(base: GuardrailValues, values: GuardrailValues): Partial<GuardrailValues> {
  const changed = changedFields(base, values);
  const sent = changed.includes("enforce_zdr") ? new Set([...changed, ...ZDR_SWITCHES]) : changed;
  return Object.fromEntries([...sent].map((field) => [field, values[field]]));
}
