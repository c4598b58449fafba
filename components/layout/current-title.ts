import { useEffect, useSyncExternalStore } from "react";

let current = "";
const listeners = new Set<() => void>();

function show(title: string): void {
  current = title;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Says what the page is about, for the breadcrumbs. */
export function useShowTitle(title: string): void {
  useEffect(() => {
    show(title);
    return () => show("");
  }, [title]);
}

export const useCurrentTitle = (): string => useSyncExternalStore(subscribe, () => current, () => "");
