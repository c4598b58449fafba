import { UNRESTRICTED_FIELDS } from "../../engine/policy/contract";
import type { GuardrailDraft } from "./contract";
import { guardrailChanges } from "./rules";
import type { Layer } from "../../engine/policy/layers";

/** A guardrail without restrictions. */
export const UNRESTRICTED: Layer["guardrail"] = {
  id: null,
  revision: null,
  name: "Draft",
  ...UNRESTRICTED_FIELDS,
};

/**
 * Creates the layer of a draft, normalized like `POST /guardrails`, with its fields on top of `stored`. Contains the
 * secrets that the draft has for its external checks.
 */
export function draftLayer(
  fields: GuardrailDraft,
  vendors: readonly [string, string, string],
  stored: Layer["guardrail"] = UNRESTRICTED,
): Layer {
  const given = Object.entries<unknown>(guardrailChanges(fields, vendors)).filter(([, value]) => value !== undefined);
  const guardrail = { ...stored, ...(Object.fromEntries(given) as Partial<Layer["guardrail"]>) };
  return {
    scope: "draft",
    guardrail: fields.external_checks ? { ...guardrail, external_checks: fields.external_checks } : guardrail,
  };
}
