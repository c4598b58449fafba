import type { ReactNode } from "react";
import { deferred } from "./deferred";
import type { DialogSurfaceProps } from "./dialog-surface";

const surface = deferred(() => import("./dialog-surface"));

export function Dialog({ open, ...props }: DialogSurfaceProps & { open: boolean }) {
  const part = surface.usePart(open);
  return part && <part.DialogSurface {...props} />;
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2 pt-1">{children}</div>;
}
