"use client";
import { useEffect } from "react";
import { toast } from "@/components/ui/toast";
import { onStayedOffline, staysOffline } from "@/lib/browser/page-router";

/** Returns the link to another page of the console that a click follows in this tab; null otherwise. */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  const isPage = link && link.origin === location.origin && !link.target && !link.hasAttribute("download");
  return isPage && link.pathname !== location.pathname ? link : null;
}

/** Keeps the page when a link is followed offline, and says so for every refused navigation. */
export function OfflineLinks() {
  useEffect(() => {
    const stay = (event: MouseEvent) => {
      if (linkOf(event) && staysOffline()) event.preventDefault();
    };
    const stop = onStayedOffline(() => {
      toast.error("You are offline", { description: "This page stays open. Try again when you are connected." });
    });
    document.addEventListener("click", stay, { capture: true });
    return () => {
      stop();
      document.removeEventListener("click", stay, { capture: true });
    };
  }, []);
  return null;
}
