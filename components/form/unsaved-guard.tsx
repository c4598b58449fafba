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

/** Confirms leaving a page with unsaved changes, by link or by closing the tab. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const router = useRouter();
  const [destination, setDestination] = useState<string | null>(null);
  useEffect(() => {
    if (!isDirty) return;
    const onClick = (event: MouseEvent) => {
      const path = leavingTo(event);
      if (path === null) return;
      event.preventDefault();
      event.stopPropagation();
      setDestination(path);
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener("click", onClick, true);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      document.removeEventListener("click", onClick, true);
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [isDirty]);
  return (
    <ConfirmDialog
      open={destination !== null}
      onOpenChange={(open) => !open && setDestination(null)}
      title="Leave without saving?"
      action="Discard changes"
      cancel="Keep editing"
      onConfirm={() => {
        if (destination !== null) router.push(destination);
        setDestination(null);
      }}
    >
      Your changes on this page haven&apos;t been saved.
    </ConfirmDialog>
  );
}
