import { Button } from "@/components/ui/button";
import { rangeText } from "./page-size";

interface PageButtonsProps {
  /** Name of the list, as in "Pages of deliveries". */
  subject: string;
  offset: number;
  size: number;
  shown: number;
  total: number;
  onOffset: (offset: number) => void;
  previous?: string;
  next?: string;
}

/** Buttons to other pages of a list within a page, by default to newer and older entries of a history. Renders nothing for one page. */
export function PageButtons({
  subject,
  offset,
  size,
  shown,
  total,
  onOffset,
  previous = "Newer",
  next = "Older",
}: PageButtonsProps) {
  if (offset === 0 && total <= shown) return null;
  return (
    <nav aria-label={`Pages of ${subject}`} className="flex items-center justify-between gap-3 text-[13px] text-muted">
      <p aria-live="polite" className="tabular-nums">
        {rangeText(offset, shown, total)}
      </p>
      <span className="flex gap-2">
        <Button size="sm" disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - size))}>
          {previous}
        </Button>
        <Button size="sm" disabled={offset + shown >= total} onClick={() => onOffset(offset + size)}>
          {next}
        </Button>
      </span>
    </nav>
  );
}
