import type { Layer } from "../../engine/policy/layers";
import type { Policy } from "./batch-service";
import { withDraft } from "./placement";
import type { Target } from "./target-service";

/**
 * Returns a request's layers with the draft. Returns the same array for equal input, so that rules are computed once.
 */
export function draftLayers({
  draft,
  regions,
  placeOf,
}: Pick<Target, "draft" | "regions" | "placeOf">): Policy["layersFor"] {
  const known = new WeakMap<readonly Layer[], Map<Layer["scope"], readonly Layer[]>>();
  return (row, then) => {
    const place = placeOf(row);
    const placed = known.get(then) ?? new Map<Layer["scope"], readonly Layer[]>();
    known.set(then, placed);
    const layers = placed.get(place) ?? withDraft(then, draft, place, regions);
    placed.set(place, layers);
    return layers;
  };
}
