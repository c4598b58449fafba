import type { ReactNode } from "react";
import { toast as sonner } from "sonner";

interface ToastOptions {
  description?: ReactNode;
  /** Optional action, such as "Undo". */
  action?: { label: string; onClick: () => void };
}

const DURATION_MS = { success: 5_000, error: 9_000 };
/** Long enough to notice the toast, decide and reach its button. */
const ACTION_DURATION_MS = 10_000;

/** The button stays during the toast's exit, where the second click of a double click may hit it. */
function once(run: () => void): () => void {
  let hasRun = false;
  return () => {
    if (hasRun) return;
    hasRun = true;
    run();
  };
}

const show =
  (kind: "success" | "error") =>
  (title: ReactNode, { description, action }: ToastOptions = {}): void => {
    sonner[kind](title, {
      description,
      action: action && { ...action, onClick: once(action.onClick) },
      duration: action ? ACTION_DURATION_MS : DURATION_MS[kind],
    });
  };

/** Shows a toast in the page's `Toaster`. */
export const toast = { success: show("success"), error: show("error") };

/** For `onInteractOutside` of a dialog: a click on a toast doesn't close it. */
export function ignoreToasts(event: Event): void {
  if (event.target instanceof Element && event.target.closest("[data-sonner-toaster]")) event.preventDefault();
}
