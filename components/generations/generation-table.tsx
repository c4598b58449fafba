"use client";
import { memo, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useColumnWidths } from "@/components/ui/use-column-widths";
import { DataTable, type Column } from "@/components/ui/data-table";
import { lazyComponent } from "@/components/ui/lazy-component";
import { isShortcut } from "@/lib/browser/keyboard";
import type { Generation } from "@/lib/records/generations/contract";
import { NEWEST_FIRST, parsedSort, type LogSort } from "./generation-list-state";
import { useOpenGeneration } from "./opened-generation";
import type { RowPart } from "./row-window";
import { useColumns } from "./use-columns";

const RowWindow = lazyComponent(() => import("./row-window").then((file) => file.RowWindow), { ssr: false });

/** Height of a row on a wide screen. If it differs from the measured height, visible rows move. */
const ROW_PX = 41;
const ROWS_BEYOND = 8;
/** Rows rendered before measuring: a typical viewport plus overscan. */
const ROWS_AT_FIRST = 32;

const firstRows = (count: number): RowPart => {
  const end = Math.min(count, ROWS_AT_FIRST);
  return { first: 0, end, above: 0, below: (count - end) * ROW_PX };
};

/** J and K focus the row to start from; the table moves on from there. */
function useRowShortcuts(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!/^[jk]$/.test(event.key) || !isShortcut(event)) return;
      if (event.target instanceof HTMLTableRowElement) return;
      event.preventDefault();
      ref.current?.querySelector<HTMLElement>("tbody > tr[tabindex='0']")?.focus();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [ref]);
}

interface GenerationTableProps {
  rows: readonly Generation[];
  sort: LogSort | null;
  onSort: (sort: LogSort | null) => void;
  columns: readonly Column<Generation>[];
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
}

/** Virtualized table of all loaded rows. */
export const GenerationTable = memo(function GenerationTable({
  rows,
  sort,
  onSort,
  columns,
  hasMore,
  isLoading,
  onMore,
}: GenerationTableProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    setTop(ref.current?.offsetTop ?? 0);
  }, []);
  const chooser = useColumns(columns);
  const resize = useColumnWidths("signalbox.generation-widths");
  const open = useOpenGeneration();
  const [inView, setInView] = useState<RowPart | null>(null);
  const part = inView ?? firstRows(rows.length);
  const isNearEnd = part.end >= rows.length - ROWS_BEYOND;
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoading) onMore();
  }, [isNearEnd, hasMore, isLoading, onMore]);
  useRowShortcuts(ref);
  return (
    <div ref={ref}>
      <RowWindow
        count={rows.length}
        keyOf={(index) => rows[index]?.id ?? ""}
        rowPx={ROW_PX}
        beyond={ROWS_BEYOND}
        top={top}
        onChange={setInView}
      />
      <DataTable
        label="Generations"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        sort={{ value: sort ?? NEWEST_FIRST, onChange: (next) => onSort(parsedSort(next)) }}
        chooser={chooser}
        hasDenseCards
        onOpen={({ id }) => open(id)}
        part={part}
        resize={resize}
      />
      <p role="status" className="py-3 text-center text-[13px] text-muted">
        {isLoading ? "Loading more…" : hasMore ? "" : `All ${rows.length.toLocaleString("en")} shown`}
      </p>
    </div>
  );
});
