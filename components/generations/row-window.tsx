import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect } from "react";
import type { DataTableProps } from "@/components/ui/data-table";

export type RowPart = NonNullable<DataTableProps<never>["part"]>;

interface RowWindowProps {
  count: number;
  keyOf: (index: number) => string;
  rowPx: number;
  /** Overscan: rows rendered beyond the visible range. */
  beyond: number;
  /** Top offset of the list on the page, in px. */
  top: number;
  /** Called with the range of visible rows. */
  onChange: (part: RowPart) => void;
}

/** Tracks the visible rows while the window scrolls. Renders nothing, so scrolling re-renders the list only when the range changes. */
export function RowWindow({ count, keyOf, rowPx, beyond, top, onChange }: RowWindowProps) {
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowPx,
    overscan: beyond,
    scrollMargin: top,
    getItemKey: keyOf,
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const end = (items.at(-1)?.index ?? -1) + 1;
  const above = (items[0]?.start ?? top) - top;
  const below = Math.max(0, virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top));
  const measure = virtualizer.measureElement;
  useLayoutEffect(() => {
    if (end > 0) onChange({ first, end, above, below, measure });
  }, [first, end, above, below, measure, onChange]);
  return null;
}
