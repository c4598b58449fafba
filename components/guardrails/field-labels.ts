import type { GuardrailMode } from "@/lib/engine/policy/vocabulary";
import type { GuardrailField } from "./guardrail-values";

/** Field labels, as shown in the editor. */
export const FIELD_LABELS = {
  name: "Name",
  description: "Description",
  mode: "Mode",
  allowed_models: "Allowed models",
  ignored_models: "Blocked models",
  allowed_providers: "Allowed providers",
  ignored_providers: "Blocked providers",
  allowed_data_regions: "Allowed data regions",
  limit_usd: "Budget limit",
  reset_interval: "Budget interval",
  include_byok_in_budgets: "BYOK spend in budget",
  enforce_zdr: "Zero data retention: all vendors (deprecated)",
  enforce_zdr_vendor_a: "Zero data retention",
  enforce_zdr_vendor_b: "Zero data retention",
  enforce_zdr_vendor_c: "Zero data retention",
  enforce_zdr_other: "Zero data retention",
  content_filter_builtins: "Built-in content filters",
  content_filters: "Custom content filters",
  judges: "Model judges",
  external_checks: "External checks",
} as const satisfies Record<GuardrailField, string>;

export const MODE_LABELS = { enforce: "Enforce", observe: "Observe only" } as const satisfies Record<
  GuardrailMode,
  string
>;
