"use client";
import { useEffect, useRef, type ReactNode } from "react";

/** A result that scrolls into the window when it appears, below the button that requests it. */
export function Reveal({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={place} className="grid scroll-my-18 gap-3">
      {children}
    </div>
  );
}
