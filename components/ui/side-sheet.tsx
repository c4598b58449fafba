import { deferred } from "./deferred";
import type { SheetSurfaceProps } from "./sheet-surface";

const surface = deferred(() => import("./sheet-surface"));

/** A thing of the list below, in detail, at the right; the whole width of a phone. */
export function SideSheet({ open, ...props }: SheetSurfaceProps & { open: boolean }) {
  const part = surface.usePart(open);
  return part && <part.SheetSurface {...props} />;
}
