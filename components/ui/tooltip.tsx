import { deferred, useIsAtRest } from "./deferred";
import type { TooltipProps } from "./tooltip-surface";

const surface = deferred(() => import("./tooltip-surface"));

/** A hint on hover and focus; what it says must be known without it too. */
export function Tooltip(props: TooltipProps) {
  const part = surface.usePart(useIsAtRest());
  return part ? <part.TooltipSurface {...props} /> : props.children;
}
