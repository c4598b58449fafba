import type { GuardrailField } from "./guardrail-values";

/** The fields as the editor calls them. */
export const FIELD_LABELS = {
  name: "Name",
  description: "Description",
  allowed_models: "Allowed models",
  ignored_models: "Ignored models",
  allowed_providers: "Allowed providers",
  ignored_providers: "Ignored providers",
  limit_usd: "Budget limit",
  reset_interval: "Budget interval",
  include_byok_in_budgets: "Own provider keys in the budget",
  enforce_zdr: "Zero data retention: all vendors (old switch)",
  enforce_zdr_vendor_a: "Zero data retention",
  enforce_zdr_vendor_b: "Zero data retention",
  enforce_zdr_vendor_c: "Zero data retention",
  enforce_zdr_other: "Zero data retention",
  content_filter_builtins: "Builtin content filters",
  content_filters: "Custom content filters",
} as const satisfies Record<GuardrailField, string>;
