"use client";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { DataTable, type Column } from "@/components/ui/data-table";
import type { Generation } from "@/lib/generations/contract";
import { useOpenGeneration } from "./opened-generation";
import { useColumns } from "./use-columns";

const ROW_PX = 49;
const ROWS_BEYOND = 8;

interface GenerationTableProps {
  rows: readonly Generation[];
  columns: readonly Column<Generation>[];
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
}

/** As many rows as one has scrolled through, of which only those in view exist. */
export const GenerationTable = memo(function GenerationTable({ rows, columns, hasMore, isLoading, onMore }: GenerationTableProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(ref.current?.offsetTop ?? 0), []);
  const chooser = useColumns(columns);
  const openById = useOpenGeneration();
  const open = useCallback(({ id }: Generation) => openById(id), [openById]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: ROWS_BEYOND,
    scrollMargin: top,
    getItemKey: (index) => rows[index]?.id ?? index,
    initialRect: { width: 0, height: 900 },
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const end = (items.at(-1)?.index ?? rows.length - 1) + 1;
  const isNearEnd = end >= rows.length - ROWS_BEYOND;
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoading) onMore();
  }, [isNearEnd, hasMore, isLoading, onMore]);
  return (
    <div ref={ref}>
      <DataTable
        label="Generations"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        chooser={chooser}
        onOpen={open}
        part={{
          first,
          end,
          above: (items[0]?.start ?? top) - top,
          below: Math.max(0, virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top)),
          measure: virtualizer.measureElement,
        }}
      />
      <p role="status" className="py-3 text-center text-[13px] text-muted">
        {isLoading ? "Loading more…" : hasMore ? "" : `All ${rows.length.toLocaleString("en")} shown`}
      </p>
    </div>
  );
});
