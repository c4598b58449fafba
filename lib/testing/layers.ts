import { UNRESTRICTED } from "../records/guardrails/draft";
import type { Layer } from "../engine/policy/layers";

/** Creates a layer whose guardrail has only the given restrictions. */
export const layerOf = (fields: Partial<Layer["guardrail"]> = {}, scope: Layer["scope"] = "workspace"): Layer => ({
  scope,
  guardrail: { ...UNRESTRICTED, id: `guardrail-${scope}`, revision: 1, name: `Guardrail of the ${scope}`, ...fields },
});
