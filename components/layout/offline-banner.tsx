"use client";
import { CloudOff } from "lucide-react";
import { useSyncExternalStore } from "react";

const subscribe = (onChange: () => void) => {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
};

/** Offline notice that doesn't shift the page. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-4 z-40 flex justify-center px-4">
      {!isOnline && (
        <p className="flex items-center gap-2 rounded-lg bg-primary px-3.5 py-2 text-on-primary shadow-lg">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          You are offline. Data may be outdated and changes can&apos;t be saved.
        </p>
      )}
    </div>
  );
}
