import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";

interface BulkBarProps {
  /** "Selected keys". */
  label: string;
  /** "3 keys selected". */
  text: string;
  onClear: () => void;
  children: ReactNode;
}

/** Sticky bar with bulk actions for the selected rows. */
export function BulkBar({ label, text, onClear, children }: BulkBarProps) {
  return (
    <div
      role="toolbar"
      data-bottom-bar
      aria-label={label}
      className="sticky bottom-4 z-20 mt-3 flex flex-wrap items-center gap-2 rounded-lg border bg-surface-raised px-3 py-2 shadow-lg"
    >
      <p role="status" className="mr-auto text-sm font-medium">
        {text}
      </p>
      {children}
      <Button size="sm" variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  );
}
