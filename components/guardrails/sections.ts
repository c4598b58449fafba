import type { FieldErrors } from "react-hook-form";
import type { GuardrailField, GuardrailValues } from "./guardrail-values";

export type SectionId =
  | "basics"
  | "models"
  | "budget"
  | "filters"
  | "injection"
  | "patterns"
  | "providers"
  | "data-regions"
  | "zdr"
  | "checks"
  | "judges";

/** The section each field belongs to. */
export const SECTION_OF = {
  name: "basics",
  description: "basics",
  mode: "basics",
  allowed_models: "models",
  ignored_models: "models",
  allowed_providers: "providers",
  ignored_providers: "providers",
  allowed_data_regions: "data-regions",
  limit_usd: "budget",
  reset_interval: "budget",
  include_byok_in_budgets: "budget",
  enforce_zdr: "zdr",
  enforce_zdr_vendor_a: "zdr",
  enforce_zdr_vendor_b: "zdr",
  enforce_zdr_vendor_c: "zdr",
  enforce_zdr_other: "zdr",
  content_filter_builtins: "injection",
  content_filters: "patterns",
  judges: "judges",
  external_checks: "checks",
} as const satisfies Record<GuardrailField, SectionId>;

/** Number of messages in an error, nested ones included. */
function countMessages(error: unknown): number {
  if (typeof error !== "object" || error === null) return 0;
  if ("message" in error && typeof error.message === "string") return 1;
  return Object.entries(error).reduce((sum, [key, nested]) => (key === "ref" ? sum : sum + countMessages(nested)), 0);
}

/** Number of errors in a section. */
export const errorsIn = (section: SectionId, errors: FieldErrors<GuardrailValues>): number =>
  Object.entries(SECTION_OF).reduce(
    (sum, [field, of]) => (of === section ? sum + countMessages(errors[field as GuardrailField]) : sum),
    0,
  );
