"use client";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useQueryState } from "nuqs";
import { parseAsInteger } from "nuqs/server";
import { Button } from "@/components/ui/button";
import { PAGE_SIZE, rangeText } from "./page-size";

/** Page offset of the list, kept in the URL. */
export const useOffset = () =>
  useQueryState("offset", parseAsInteger.withDefault(0).withOptions({ history: "push", scroll: true }));

interface PagerProps {
  total: number;
  shown: number;
}

export function Pager({ total, shown }: PagerProps) {
  const [offset, setOffset] = useOffset();
  if (offset === 0 && total <= PAGE_SIZE) return null;
  return (
    <nav aria-label="Pages" className="mt-3 flex items-center justify-between gap-3 text-[13px] text-muted">
      <p aria-live="polite" className="tabular-nums">
        {rangeText(offset, shown, total)}
      </p>
      <div className="flex gap-2">
        <Button
          size="sm"
          disabled={offset === 0}
          onClick={() => void setOffset(Math.max(0, Math.min(offset, total) - PAGE_SIZE) || null)}
        >
          <ChevronLeft aria-hidden /> Previous
        </Button>
        <Button size="sm" disabled={offset + PAGE_SIZE >= total} onClick={() => void setOffset(offset + PAGE_SIZE)}>
          Next <ChevronRight aria-hidden />
        </Button>
      </div>
    </nav>
  );
}
