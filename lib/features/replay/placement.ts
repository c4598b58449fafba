import type { Layer, LayerScope } from "../../engine/policy/layers";

const WIDTH: Readonly<Record<LayerScope, number>> = { workspace: 0, member: 1, key: 2, draft: 3 };

/**
 * Inserts a draft, with the workspace's regions, into the layers. It replaces its own guardrail if that was in force,
 * otherwise the guardrail that its assignment would displace, because keys, members and workspaces have at most one. A
 * draft evaluated separately is added to all layers.
 */
export function withDraft(
  layers: readonly Layer[],
  draft: Layer["guardrail"],
  place: LayerScope,
  regions: readonly string[] = [],
): Layer[] {
  const replaced = layers.map((layer) =>
    draft.id !== null && layer.guardrail.id === draft.id ? { ...layer, guardrail: draft } : layer,
  );
  if (replaced.some(({ guardrail }) => guardrail === draft)) return replaced;
  return [
    ...replaced.filter(({ scope }) => scope !== place),
    { scope: place, guardrail: draft, ...(regions.length > 0 && { regions }) },
  ].toSorted((a, b) => WIDTH[a.scope] - WIDTH[b.scope]);
}
