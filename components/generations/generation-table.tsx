"use client";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { DataTable, type Column } from "@/components/ui/data-table";
import type { Generation } from "@/lib/generations/contract";

const ROW_PX = 49;
const ROWS_BEYOND = 12;

interface GenerationTableProps {
  rows: readonly Generation[];
  columns: readonly Column<Generation>[];
  chooser: { hidden: readonly string[]; onChange: (hidden: string[]) => void };
  onOpen: (generation: Generation) => void;
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
}

/** As many rows as one has scrolled through, of which only those in view exist. */
export function GenerationTable({ rows, columns, chooser, onOpen, hasMore, isLoading, onMore }: GenerationTableProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(ref.current?.offsetTop ?? 0), []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: ROWS_BEYOND,
    scrollMargin: top,
    getItemKey: (index) => rows[index]?.id ?? index,
    initialRect: { width: 0, height: 900 },
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? rows.length - 1;
  const isNearEnd = last >= rows.length - ROWS_BEYOND;
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoading) onMore();
  }, [isNearEnd, hasMore, isLoading, onMore]);
  return (
    <div ref={ref}>
      <DataTable
        label="Generations"
        columns={columns}
        rows={rows.slice(first, last + 1)}
        rowKey={({ id }) => id}
        chooser={chooser}
        onOpen={onOpen}
        part={{
          first,
          before: (items[0]?.start ?? top) - top,
          after: Math.max(0, virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top)),
          measure: virtualizer.measureElement,
        }}
      />
      <p role="status" className="py-3 text-center text-[13px] text-muted">
        {isLoading ? "Loading more…" : hasMore ? "" : `All ${rows.length.toLocaleString("en")} shown`}
      </p>
    </div>
  );
}
