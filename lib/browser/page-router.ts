import { useRouter } from "next/navigation";
import { useMemo } from "react";

const STAYED = "signalbox:stayed-offline";

/** Returns true offline, and notifies the listeners. The page stays, because the browser would replace it with its own error page. */
export function staysOffline(): boolean {
  if (navigator.onLine) return false;
  window.dispatchEvent(new Event(STAYED));
  return true;
}

/** Calls `listener` when a navigation was refused offline. Returns a function that stops it. */
export function onStayedOffline(listener: () => void): () => void {
  window.addEventListener(STAYED, listener);
  return () => window.removeEventListener(STAYED, listener);
}

type PageRouter = Pick<ReturnType<typeof useRouter>, "push">;

/** Router that keeps the page offline. */
export function usePageRouter(): PageRouter {
  const router = useRouter();
  return useMemo(
    () => ({
      push: (...to) => {
        if (!staysOffline()) router.push(...to);
      },
    }),
    [router],
  );
}
