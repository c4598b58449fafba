import type { Layer, LayerScope } from "../../engine/policy/layers";

const WIDTH: Readonly<Record<LayerScope, number>> = { workspace: 0, member: 1, key: 2, draft: 3 };

/**
 * The layers with a draft in them. Where its guardrail was in force it takes that place; else that of the layer that it would
 * push out where it is assigned, because a key holds one guardrail, a member one, and a workspace one as its default. A draft
 * that is tried out stands beside all.
 */
export function withDraft(layers: readonly Layer[], draft: Layer["guardrail"], place: LayerScope): Layer[] {
  const replaced = layers.map((layer) =>
    draft.id !== null && layer.guardrail.id === draft.id ? { ...layer, guardrail: draft } : layer,
  );
  if (replaced.some(({ guardrail }) => guardrail === draft)) return replaced;
  return [...replaced.filter(({ scope }) => scope !== place), { scope: place, guardrail: draft }].toSorted(
    (a, b) => WIDTH[a.scope] - WIDTH[b.scope],
  );
}
