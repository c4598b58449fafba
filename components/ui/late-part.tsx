import { Suspense, useEffect, useEffectEvent, useRef, type ReactNode } from "react";
import { LATE, releaseClicks } from "@/lib/browser/early-input";

/** A part that is shown with its page and whose script (`dynamic`) comes after the page's own, as a form does; what one does with it before is answered then. */
export function LatePart({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place} className="contents" {...{ [LATE]: "" }}>
      <Suspense fallback={fallback}>
        {children}
        <WhenAlive act={() => place.current?.removeAttribute(LATE)} />
      </Suspense>
    </div>
  );
}

function WhenAlive({ act }: { act: () => void }) {
  const onAlive = useEffectEvent(act);
  useEffect(() => {
    onAlive();
    releaseClicks();
  }, []);
  return null;
}
