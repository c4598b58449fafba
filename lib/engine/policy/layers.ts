import type { GuardrailFields, Source } from "./contract";
import type { Exception } from "./exception";

/** The origin of a guardrail, broadest first (docs/semantics.md#layers); a draft is only being evaluated. */
export type LayerScope = Exclude<Source["scope"], "request" | "organization">;

/** A guardrail that applies to a request. An unsaved draft has no id and no revision. */
export interface Layer {
  scope: LayerScope;
  guardrail: GuardrailFields & { id: string | null; revision: number | null };
  /** Regions of its workspace, for detectors whose formats depend on the country; missing for none. */
  regions?: readonly string[];
  /** Active exceptions for the subject. */
  exceptions?: readonly Exception[];
  /** Set for a judge's own request, which only some rules of the guardrail apply to: `judgeLayers`. */
  isForJudge?: true;
  /** Encrypted secrets of the guardrail's external checks by name, and the stored guardrail they belong to. */
  checkSecrets?: { guardrailId: string; values: Readonly<Record<string, string>> };
}

/** True if a layer only records what it would have done. A draft is evaluated as if it were enforced. */
export const isObserving = ({ scope, guardrail }: Layer): boolean => guardrail.mode === "observe" && scope !== "draft";

interface ByMode {
  enforced: readonly Layer[];
  observed: readonly Layer[];
}

/** Parts by list of layers, which many requests share. */
const parts = new WeakMap<readonly Layer[], ByMode>();

/** Splits layers by mode. Returns the same lists for the same list of layers. */
export function layersByMode(layers: readonly Layer[]): ByMode {
  const known = parts.get(layers);
  if (known) return known;
  const observed = layers.filter(isObserving);
  const split =
    observed.length === 0
      ? { enforced: layers, observed }
      : { enforced: layers.filter((layer) => !isObserving(layer)), observed };
  parts.set(layers, split);
  return split;
}

export const sourceOf = ({ scope, guardrail }: Layer): Source => ({
  scope,
  guardrail_id: guardrail.id,
  guardrail_name: guardrail.name,
  revision: guardrail.revision,
});

export const REQUEST_SOURCE: Source = { scope: "request", guardrail_id: null, guardrail_name: null, revision: null };
