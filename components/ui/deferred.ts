import { useEffect, useState, useSyncExternalStore } from "react";

interface Deferred<Part> {
  fetch: () => void;
  /** The part once it is wanted and here; until then null. */
  usePart: (isWanted: boolean) => Part | null;
}

export const whenIdle = (act: () => void) => (typeof requestIdleCallback === "function" ? requestIdleCallback(act) : setTimeout(act, 1_000));

/** Turns true when the page has come to rest for the first time. */
export function useIsAtRest(): boolean {
  const [isAtRest, setAtRest] = useState(false);
  useEffect(() => void whenIdle(() => setAtRest(true)), []);
  return isAtRest;
}

/** A part of the page that no page begins with: fetched when the browser has nothing else to do, or when it is first wanted. */
export function deferred<Part>(load: () => Promise<Part>): Deferred<Part> {
  let part: Part | null = null;
  let isAsked = false;
  const listeners = new Set<() => void>();
  const fetch = () => {
    if (isAsked) return;
    isAsked = true;
    load().then(
      (loaded) => {
        part = loaded;
        for (const listener of listeners) listener();
      },
      () => (isAsked = false),
    );
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    fetch,
    usePart: (isWanted) => {
      useEffect(() => {
        if (isWanted) fetch();
        else whenIdle(fetch);
      }, [isWanted]);
      return useSyncExternalStore(subscribe, () => (isWanted ? part : null), () => null);
    },
  };
}
