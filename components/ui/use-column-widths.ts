import { useMemo, useSyncExternalStore } from "react";

export type ColumnWidths = Readonly<Record<string, number>>;

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

function parse(stored: string | null): ColumnWidths {
  try {
    const value: unknown = JSON.parse(stored ?? "{}");
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter((pair): pair is [string, number] => typeof pair[1] === "number"),
    );
  } catch {
    return {};
  }
}

/** Widths of a table's columns in pixels by ID, remembered in this browser; empty until one is changed. */
export function useColumnWidths(storedAs: string) {
  const stored = useSyncExternalStore(
    subscribe,
    () => window.localStorage.getItem(storedAs),
    () => null,
  );
  return useMemo(
    () => ({
      widths: parse(stored),
      onChange: (widths: ColumnWidths) => {
        window.localStorage.setItem(storedAs, JSON.stringify(widths));
        for (const listener of listeners) listener();
      },
    }),
    [stored, storedAs],
  );
}
