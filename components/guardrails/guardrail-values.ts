import type { z } from "zod";
import { GuardrailFields, type Guardrail } from "@/lib/guardrails/contract";

/** What the editor edits: every settable field except the deprecated switch for all vendors at once. */
export const GuardrailForm = GuardrailFields.omit({ enforce_zdr: true });
export type GuardrailValues = z.input<typeof GuardrailForm>;
export type GuardrailField = keyof GuardrailValues;

const FIELDS = GuardrailForm.keyof().options;

export const EMPTY_VALUES: GuardrailValues = {
  name: "",
  description: null,
  allowed_models: null,
  ignored_models: null,
  allowed_providers: null,
  ignored_providers: null,
  limit_usd: null,
  reset_interval: null,
  include_byok_in_budgets: false,
  enforce_zdr_vendor_a: null,
  enforce_zdr_vendor_b: null,
  enforce_zdr_vendor_c: null,
  enforce_zdr_other: null,
  content_filter_builtins: [],
  content_filters: [],
};

/** A stored guardrail as the editor's values; the labels of builtins are read-only. */
export function toValues(guardrail: Guardrail): GuardrailValues {
  const values = GuardrailForm.parse(guardrail);
  return {
    ...values,
    content_filter_builtins: (values.content_filter_builtins ?? []).map(({ label: _, ...filter }) => filter),
    content_filters: values.content_filters ?? [],
  };
}

/** The fields in which `values` differs from `base`. */
export function changedFields(base: GuardrailValues, values: GuardrailValues): Partial<GuardrailValues> {
  const changed = FIELDS.filter((field) => JSON.stringify(base[field]) !== JSON.stringify(values[field]));
  return Object.fromEntries(changed.map((field) => [field, values[field]]));
}
