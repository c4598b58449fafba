import { useDeferredValue } from "react";
import { deferred } from "./deferred";
import type { SheetSurfaceProps } from "./sheet-surface";

const surface = deferred(() => import("./sheet-surface"));

/** A thing of the list below, in detail, at the right; the whole width of a phone. */
export function SideSheet({ open, ...props }: Omit<SheetSurfaceProps, "isHidden"> & { open: boolean }) {
  // Out of sight at once, and taken apart after that.
  const isLeft = useDeferredValue(open) && !open;
  const part = surface.usePart(open || isLeft);
  return part && <part.SheetSurface {...props} isHidden={!open} />;
}
