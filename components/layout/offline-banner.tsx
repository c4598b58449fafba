"use client";
import { CloudOff, ServerOff } from "lucide-react";
import { useSyncExternalStore } from "react";
import { currentReach, onReachChange, type Reach } from "@/lib/browser/reach";

const NOTICES = {
  offline: { icon: CloudOff, text: "You are offline. Data may be outdated and changes can't be saved." },
  unreachable: { icon: ServerOff, text: "Can't reach Signalbox. Retrying…" },
};

const onServer = (): Reach => "online";

/** Notice that doesn't shift the page, while the browser is offline or the server is unreachable. */
export function OfflineBanner() {
  const reach = useSyncExternalStore(onReachChange, currentReach, onServer);
  const notice = reach === "online" ? null : NOTICES[reach];
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-(--toast-bottom,1rem) z-40 flex justify-center px-4"
    >
      {notice && (
        <p className="flex items-center gap-2 rounded-lg bg-primary px-3.5 py-2 text-on-primary shadow-lg">
          <notice.icon aria-hidden className="size-4 shrink-0" />
          {notice.text}
        </p>
      )}
    </div>
  );
}
