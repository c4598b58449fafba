import type { GuardrailDraft } from "../guardrails/contract";
import { guardrailChanges } from "../guardrails/policy";
import type { Layer } from "./layers";

/** A guardrail that restricts nothing. */
export const UNRESTRICTED: Layer["guardrail"] = {
  id: null,
  revision: null,
  name: "Draft",
  description: null,
  allowed_models: null,
  ignored_models: null,
  allowed_providers: null,
  ignored_providers: null,
  limit_usd: null,
  reset_interval: null,
  include_byok_in_budgets: false,
  enforce_zdr: null,
  enforce_zdr_vendor_a: null,
  enforce_zdr_vendor_b: null,
  enforce_zdr_vendor_c: null,
  enforce_zdr_other: null,
  content_filter_builtins: null,
  content_filters: null,
};

/** The layer that a draft would be, its fields understood as `POST /guardrails` understands them, on top of what is `stored`. */
export function draftLayer(fields: GuardrailDraft, vendors: readonly [string, string, string], stored: Layer["guardrail"] = UNRESTRICTED): Layer {
  const given = Object.entries(guardrailChanges(fields, vendors)).filter(([, value]) => value !== undefined);
  return { scope: "draft", guardrail: { ...stored, ...(Object.fromEntries(given) as Partial<Layer["guardrail"]>) } };
}
