import type { GuardrailDraft } from "../../records/guardrails/contract";
import { guardrailChanges } from "../../records/guardrails/policy";
import { UNRESTRICTED_FIELDS } from "../../records/guardrails/contract";
import type { Layer } from "../../engine/policy/layers";

/** A guardrail without restrictions. */
export const UNRESTRICTED: Layer["guardrail"] = {
  id: null,
  revision: null,
  name: "Draft",
  ...UNRESTRICTED_FIELDS,
};

/** Creates the layer of a draft, normalized like `POST /guardrails`, with its fields on top of `stored`. */
export function draftLayer(
  fields: GuardrailDraft,
  vendors: readonly [string, string, string],
  stored: Layer["guardrail"] = UNRESTRICTED,
): Layer {
  const given = Object.entries<unknown>(guardrailChanges(fields, vendors)).filter(([, value]) => value !== undefined);
  return { scope: "draft", guardrail: { ...stored, ...(Object.fromEntries(given) as Partial<Layer["guardrail"]>) } };
}
