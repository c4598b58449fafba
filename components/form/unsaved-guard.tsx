"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";

/** Target path of a plain click on an internal link; otherwise null. */
function leavingTo(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const anchor = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(anchor instanceof HTMLAnchorElement) || anchor.target === "_blank" || anchor.origin !== window.location.origin)
    return null;
  return anchor.pathname === window.location.pathname ? null : anchor.pathname + anchor.search;
}

/** Position in the tab's history, where the browser tells it. */
const historyIndex = (): number | null =>
  (window as { navigation?: { currentEntry: { index: number } | null } }).navigation?.currentEntry?.index ?? null;

/** Confirms leaving a page with unsaved changes: by link, by the browser's history, or by closing the tab. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const router = useRouter();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  useEffect(() => {
    if (!isDirty) return;
    const { pathname } = window.location;
    const index = historyIndex() ?? 0;
    let isLeaving = false;
    const ask = (go: () => void) =>
      setLeave(() => () => {
        isLeaving = true;
        go();
      });
    const onClick = (event: MouseEvent) => {
      const path = leavingTo(event);
      if (path === null) return;
      event.preventDefault();
      event.stopPropagation();
      ask(() => router.push(path));
    };
    // The history has moved already: it returns before the router notices. Without its position, it went back.
    const onHistory = (event: PopStateEvent) => {
      if (isLeaving || window.location.pathname === pathname) return;
      event.stopImmediatePropagation();
      const steps = (historyIndex() ?? index - 1) - index;
      window.history.go(-steps);
      ask(() => window.history.go(steps));
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener("click", onClick, true);
    window.addEventListener("popstate", onHistory, true);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      document.removeEventListener("click", onClick, true);
      window.removeEventListener("popstate", onHistory, true);
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [isDirty, router]);
  return (
    <ConfirmDialog
      open={leave !== null}
      onOpenChange={(open) => !open && setLeave(null)}
      title="Leave without saving?"
      action="Discard changes"
      cancel="Keep editing"
      onConfirm={() => {
        leave?.();
        setLeave(null);
      }}
    >
      Your changes on this page haven&apos;t been saved.
    </ConfirmDialog>
  );
}
