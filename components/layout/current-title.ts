import { useEffect, useSyncExternalStore } from "react";

/** A page between a section and the current page. */
export interface Crumb {
  href: string;
  label: string;
}

interface CurrentTitle {
  title: string;
  parents: readonly Crumb[];
}

const NONE: CurrentTitle = { title: "", parents: [] };

let current = NONE;
const listeners = new Set<() => void>();

function show(next: CurrentTitle): void {
  current = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Sets the page's title and parents for the breadcrumbs and the browser tab. */
export function useShowTitle(title: string, parents: readonly Crumb[]): void {
  const path = JSON.stringify(parents);
  useEffect(() => {
    show({ title, parents: JSON.parse(path) as Crumb[] });
    const wanted = `${title} · Signalbox`;
    const apply = () => {
      if (document.title !== wanted) document.title = wanted;
    };
    apply();
    // Next.js may apply the page's metadata after its content.
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      show(NONE);
    };
  }, [title, path]);
}

export const useCurrentTitle = (): CurrentTitle =>
  useSyncExternalStore(
    subscribe,
    () => current,
    () => NONE,
  );
