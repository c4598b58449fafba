import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { MOST_SELECTED, type Reach } from "./use-selection";

interface BulkBarProps {
  /** "Selected keys". */
  label: string;
  /** "3 keys selected". */
  text: string;
  /** Null if the selection has all rows that match. */
  reach?: Reach | null;
  /** What an action can't do with this selection. */
  note?: ReactNode;
  onClear: () => void;
  children: ReactNode;
}

/** Sticky bar with bulk actions for the selected rows. */
export function BulkBar({ label, text, reach = null, note, onClear, children }: BulkBarProps) {
  return (
    <div
      role="toolbar"
      data-bottom-bar
      aria-label={label}
      className="sticky bottom-4 z-20 mt-3 flex flex-wrap items-center gap-2 rounded-lg border bg-surface-raised px-3 py-2 shadow-lg"
    >
      <div className="mr-auto flex flex-wrap items-center gap-x-1">
        <p role="status" className="text-sm font-medium">
          {text}
        </p>
        {reach && <ReachButton {...reach} />}
      </div>
      {children}
      <Button size="sm" variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
      {note && <p className="w-full text-[13px] text-muted">{note}</p>}
    </div>
  );
}

const numeral = (amount: number) => amount.toLocaleString("en");

/** Selects all rows that match, as many as a selection may have. */
export function ReachButton({ total, loaded, selectAll }: Reach) {
  const most = Math.min(total, MOST_SELECTED);
  return (
    <>
      <Button size="sm" variant="ghost" disabled={loaded !== null} onClick={selectAll}>
        {loaded !== null
          ? `Selecting ${numeral(loaded)} of ${numeral(most)}…`
          : total > most
            ? `Select the first ${numeral(most)} of ${numeral(total)} that match`
            : `Select all ${numeral(total)} that match`}
      </Button>
      {total > most && <span className="text-[13px] text-muted">To reach the others, narrow the list by filters.</span>}
    </>
  );
}
