"use client";
import type { RowData } from "@tanstack/react-table";
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { cn } from "./class-names";
import { DataTableHead } from "./data-table-head";
import { useTableModel, type Column, type DataTableProps } from "./data-table-model";
import { DataTableRow } from "./data-table-row";
import { DataTableTools } from "./data-table-tools";
import { Skeleton } from "./skeleton";

export type { Column, DataTableProps } from "./data-table-model";

const STEPS: Record<string, (index: number, last: number) => number> = {
  ArrowDown: (index, last) => Math.min(index + 1, last),
  j: (index, last) => Math.min(index + 1, last),
  ArrowUp: (index) => Math.max(index - 1, 0),
  k: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** Keyboard navigation between rows, except within controls. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  if (!step || !(event.target instanceof HTMLTableRowElement) || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(":scope > tr")];
  event.preventDefault();
  const row = rows[step(rows.indexOf(event.target), rows.length - 1)];
  // By default the browser would scroll an off-screen row to the center.
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: "nearest" });
}

/** Scrolls horizontally only if the table is too wide, so that a sticky header works otherwise. */
function useFits() {
  const ref = useRef<HTMLDivElement>(null);
  const [fits, setFits] = useState(false);
  useLayoutEffect(() => {
    const place = ref.current;
    const table = place?.firstElementChild;
    if (!place || !table) return;
    const observer = new ResizeObserver(() => setFits(table.scrollWidth <= place.clientWidth));
    observer.observe(place);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return { ref, fits };
}

/** Table that becomes a list of cards on a phone. Roles are explicit because the card layout would remove them. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, selection, onOpen, part, resize, hasDenseCards = false } = props;
  const isResized = Object.keys(resize?.widths ?? {}).length > 0;
  const table = useTableModel(props);
  const { ref, fits } = useFits();
  const [active, setActive] = useState<string | null>(null);
  const isRoving = selection !== undefined || onOpen !== undefined;
  const reachable = table.rows.some(({ id }) => id === active) ? active : table.rows[0]?.id;
  return (
    <div>
      <DataTableTools table={table} {...props} />
      <div
        ref={ref}
        className={cn("md:rounded-lg md:border md:bg-surface", fits ? "md:overflow-x-clip" : "md:overflow-x-auto")}
      >
        <table
          role="table"
          aria-label={label}
          className={cn("block w-full text-sm md:table", isResized && "md:table-fixed")}
        >
          <DataTableHead table={table} {...props} isSticky={fits} />
          {part && <RowSpace height={part.above} />}
          <tbody
            role="rowgroup"
            className={cn("grid md:table-row-group", hasDenseCards ? "gap-1.5" : "gap-3")}
            onKeyDown={isRoving ? moveBetweenRows : undefined}
          >
            {table.rows.map(({ row, id, isSelected, canSelect }, index) => (
              <DataTableRow
                key={id}
                row={row}
                id={id}
                index={(part?.first ?? 0) + index}
                measure={part?.measure}
                columns={table.visible}
                name={selection?.nameOf(row)}
                isSelected={isSelected}
                canSelect={canSelect}
                toggle={table.toggle}
                open={onOpen && table.open}
                isDense={hasDenseCards}
                tabIndex={isRoving ? (id === reachable ? 0 : -1) : undefined}
                onReach={setActive}
              />
            ))}
          </tbody>
          {part && <RowSpace height={part.below} />}
        </table>
      </div>
    </div>
  );
}

/** Spacer for rows out of view. */
const RowSpace = ({ height }: { height: number }) => (
  <tbody aria-hidden className="block md:table-row-group">
    <tr className="block md:table-row" style={{ height }} />
  </tbody>
);

/** Placeholder of a table while its rows load. */
export function DataTableSkeleton<Row>({ columns, rows = 6 }: { columns: readonly Column<Row>[]; rows?: number }) {
  const placeholders = Array.from({ length: rows }, (_, row) => row);
  const shown = columns.filter(({ isHiddenAtFirst }) => !isHiddenAtFirst);
  return (
    <div aria-hidden className="overflow-hidden rounded-lg border bg-surface">
      <div className="hidden h-9 border-b bg-subtle/50 md:block" />
      {placeholders.map((row) => (
        <div key={row} className="flex items-center gap-6 border-t px-4 py-4 first:border-t-0 md:py-3.5">
          {shown.map((column, index) => (
            <div
              key={column.id}
              className={cn(index > 1 && "hidden md:block", column.isControl ? "flex-none" : "flex-1")}
            >
              <Skeleton className={column.isControl ? "w-6" : index % 2 ? "w-1/2" : "w-3/4"} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
