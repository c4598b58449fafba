import { UNRESTRICTED } from "../features/policy-check/draft-policy";
import type { Layer } from "../engine/policy/layers";

/** A layer whose guardrail restricts what a test says, and nothing else. */
export const layerOf = (fields: Partial<Layer["guardrail"]> = {}, scope: Layer["scope"] = "workspace"): Layer => ({
  scope,
  guardrail: { ...UNRESTRICTED, id: `guardrail-${scope}`, revision: 1, name: `Guardrail of the ${scope}`, ...fields },
});
