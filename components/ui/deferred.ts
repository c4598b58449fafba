import { useDeferredValue, useEffect, useSyncExternalStore } from "react";

interface Deferred<Part> {
  fetch: () => void;
  /** The part once it is wanted and here; until then null. */
  usePart: (isWanted: boolean) => Part | null;
}

export const whenIdle = (act: () => void) =>
  typeof requestIdleCallback === "function" ? requestIdleCallback(act) : setTimeout(act, 1_000);

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** The line is back, or enough time is gone to look whether it is. */
const lineMayBeBack = (waitMs: number) =>
  new Promise<void>((resolve) => {
    const look = () => {
      clearTimeout(timer);
      removeEventListener("online", look);
      resolve();
    };
    const timer = setTimeout(look, waitMs);
    addEventListener("online", look);
  });

/** Loads a part of the page, and again until it is there: a line that is down costs a wait, never what the page holds. */
export async function persistently<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await load();
    } catch (error) {
      if (typeof window === "undefined") throw error;
      await lineMayBeBack(waitMs);
    }
  }
}

/** A part of the page that no page begins with: fetched when the browser has nothing else to do, or when it is first wanted. */
export function deferred<Part>(load: () => Promise<Part>): Deferred<Part> {
  let part: Part | null = null;
  let isAsked = false;
  const listeners = new Set<() => void>();
  const fetch = () => {
    if (isAsked) return;
    isAsked = true;
    void persistently(load).then((loaded) => {
      part = loaded;
      for (const listener of listeners) listener();
    });
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    fetch,
    usePart: (isWanted) => {
      // What one pressed answers first, then the part is made, in steps between which the page still answers.
      const isDue = useDeferredValue(isWanted) && isWanted;
      useEffect(() => {
        if (isWanted) fetch();
        else whenIdle(fetch);
      }, [isWanted]);
      return useSyncExternalStore(
        subscribe,
        () => (isDue ? part : null),
        () => null,
      );
    },
  };
}
