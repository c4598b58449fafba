import { deferred } from "./deferred";
import type { ConfirmSurfaceProps } from "./confirm-surface";

const surface = deferred(() => import("./confirm-surface"));

/** Asks before something that can't be undone; stays open while it runs. Opened again, nothing is typed yet. */
export function ConfirmDialog({ open, ...props }: ConfirmSurfaceProps & { open: boolean }) {
  const part = surface.usePart(open);
  return part && <part.ConfirmSurface {...props} />;
}
