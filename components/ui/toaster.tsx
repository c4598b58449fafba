"use client";
import { deferred, useIsAtRest } from "./deferred";

const region = deferred(() => import("./toast-region"));

/** Shows toasts below the top bar. Pointing at one or focusing it (F8) holds it; Escape, its button or a swipe dismiss it. */
export function Toaster() {
  const part = region.usePart(useIsAtRest());
  return part && <part.ToastRegion />;
}
