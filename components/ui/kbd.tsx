import type { ReactNode } from "react";

/** Keyboard key. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border bg-subtle px-1 font-sans text-[11px] font-medium text-muted">
      {children}
    </kbd>
  );
}
