import type { GuardrailDraft } from "../../records/guardrails/contract";
import { guardrailChanges } from "../../records/guardrails/policy";
import { UNRESTRICTED_FIELDS } from "../../records/guardrails/vocabulary";
import type { Layer } from "../../engine/policy/layers";

/** A guardrail that restricts nothing. */
export const UNRESTRICTED: Layer["guardrail"] = {
  id: null,
  revision: null,
  name: "Draft",
  ...UNRESTRICTED_FIELDS,
};

/** The layer that a draft would be, its fields understood as `POST /guardrails` understands them, on top of what is `stored`. */
export function draftLayer(
  fields: GuardrailDraft,
  vendors: readonly [string, string, string],
  stored: Layer["guardrail"] = UNRESTRICTED,
): Layer {
  const given = Object.entries(guardrailChanges(fields, vendors)).filter(([, value]) => value !== undefined);
  return { scope: "draft", guardrail: { ...stored, ...(Object.fromEntries(given) as Partial<Layer["guardrail"]>) } };
}
