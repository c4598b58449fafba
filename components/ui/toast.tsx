import type { ReactNode } from "react";

interface ToastOptions {
  description?: ReactNode;
  /** One thing to do about it, as "Undo". */
  action?: { label: string; onClick: () => void };
}

export interface ShownToast extends ToastOptions {
  id: number;
  kind: "success" | "error";
  title: ReactNode;
}

const MAX_SHOWN = 4;

let shown: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(toasts: readonly ShownToast[]): void {
  shown = toasts;
  for (const listener of listeners) listener();
}

const add = (kind: ShownToast["kind"], title: ReactNode, options: ToastOptions = {}) =>
  show([...shown.slice(1 - MAX_SHOWN), { ...options, id: ++lastId, kind, title }]);

/** Says in passing how something went; the page's only `Toaster` shows it. */
export const toast = {
  success: (title: ReactNode, options?: ToastOptions) => add("success", title, options),
  error: (title: ReactNode, options?: ToastOptions) => add("error", title, options),
};

/** The toasts of this moment, for the `Toaster`. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: () => shown,
  remove: (id: number) => show(shown.filter((toast) => toast.id !== id)),
};
