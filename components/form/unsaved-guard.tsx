"use client";
import { useEffect, useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { usePageRouter } from "@/lib/browser/page-router";

/** Target path of a plain click on an internal link; otherwise null. */
function leavingTo(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const anchor = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(anchor instanceof HTMLAnchorElement) || anchor.target === "_blank" || anchor.origin !== window.location.origin)
    return null;
  return anchor.pathname === window.location.pathname ? null : anchor.pathname + anchor.search;
}

/** The parts of the Navigation API used here, which TypeScript's library lacks. */
interface Navigation extends EventTarget {
  traverseTo: (key: string) => void;
}
interface NavigateEvent extends Event {
  navigationType: "push" | "reload" | "replace" | "traverse";
  destination: { key: string; url: string };
}

/**
 * Asks before leaving a page with unsaved changes by a link, by the browser's history (with the Navigation API), or by
 * closing the tab.
 */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const router = usePageRouter();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  useEffect(() => {
    if (!isDirty) return;
    const { navigation } = window as { navigation?: Navigation };
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
    const onNavigate = (event: Event) => {
      const { navigationType, destination } = event as NavigateEvent;
      if (isLeaving || navigationType !== "traverse" || !event.cancelable) return;
      if (new URL(destination.url).pathname === window.location.pathname) return;
      event.preventDefault();
      ask(() => navigation?.traverseTo(destination.key));
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener("click", onClick, true);
    navigation?.addEventListener("navigate", onNavigate);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      document.removeEventListener("click", onClick, true);
      navigation?.removeEventListener("navigate", onNavigate);
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
