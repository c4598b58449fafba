import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import type { ColumnWidths } from "./use-column-widths";

export const LEAST_WIDTH = 64;
const MOST_WIDTH = 1200;
const STEP = 16;

interface ColumnResizerProps {
  id: string;
  header: string;
  widths: ColumnWidths;
  onChange: (widths: ColumnWidths) => void;
  isFirst: boolean;
}

/** All widths as they are shown, so that the other columns keep theirs. */
const measured = (handle: HTMLElement): Record<string, number> =>
  Object.fromEntries(
    [...(handle.closest("tr")?.querySelectorAll<HTMLElement>("th[data-column]") ?? [])].map((cell) => [
      cell.dataset["column"] ?? "",
      Math.round(cell.getBoundingClientRect().width),
    ]),
  );

/**
 * Handle at the right edge of a column's header: drag it, or use the arrow keys; up and down go to the other columns' handles,
 * which are one stop of Tab together. A double click restores all widths.
 */
export function ColumnResizer({ id, header, widths, onChange, isFirst }: ColumnResizerProps) {
  const dragged = useRef<{ x: number; widths: Record<string, number> } | null>(null);
  const resize = (from: Record<string, number>, by: number) =>
    onChange({ ...from, [id]: Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, (from[id] ?? LEAST_WIDTH) + by)) });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined && step === undefined) return;
    event.preventDefault();
    // Chosen widths count as soon as they are chosen; the table shows them a moment later.
    if (by !== undefined) resize(id in widths ? widths : measured(event.currentTarget), by);
    else {
      const handles = [...(event.currentTarget.closest("tr")?.querySelectorAll<HTMLElement>("[role=separator]") ?? [])];
      handles[handles.indexOf(event.currentTarget) + (step ?? 0)]?.focus();
    }
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = { x: event.clientX, widths: measured(event.currentTarget) };
  };
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${header}`}
      aria-valuemin={LEAST_WIDTH}
      aria-valuemax={MOST_WIDTH}
      aria-valuenow={widths[id] ?? LEAST_WIDTH}
      tabIndex={isFirst ? 0 : -1}
      className="absolute inset-y-1 right-0 z-10 w-2 cursor-col-resize touch-none rounded-sm border-r border-transparent hover:border-border-strong focus-visible:border-accent"
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={({ clientX }) => {
        if (dragged.current) resize(dragged.current.widths, clientX - dragged.current.x);
      }}
      onPointerUp={() => {
        dragged.current = null;
      }}
      onDoubleClick={() => onChange({})}
    />
  );
}
