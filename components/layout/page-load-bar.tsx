"use client";
import { useSyncExternalStore } from "react";
import { isPageLoading, onPageLoading } from "@/lib/browser/page-loads";

const onServer = () => false;

/** Bar at the top edge while the next page is being loaded. It is invisible for the first moments. */
export function PageLoadBar() {
  const isLoading = useSyncExternalStore(onPageLoading, isPageLoading, onServer);
  if (!isLoading) return null;
  return (
    <div
      role="progressbar"
      aria-label="Loading page"
      className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 animate-late overflow-hidden"
    >
      <div className="h-full w-1/3 animate-slide bg-accent motion-reduce:w-full motion-reduce:animate-none" />
    </div>
  );
}
