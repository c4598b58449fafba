"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState, type KeyboardEvent, type PointerEvent } from "react";
import { describeRange, type TimeRange } from "@/components/time-range/time-range";
import { chartClock } from "@/components/ui/chart-parts";
import { cn } from "@/components/ui/class-names";
import { apiQuery } from "@/lib/browser/api-query";
import { announce } from "@/lib/browser/announce";
import { getUsage } from "@/lib/browser/operations/analytics-usage";
import type { GenerationFilters } from "@/lib/records/generations/contract";
import { formatCount } from "./generation-format";
import { brushed, histogramRange, type Brush } from "./histogram-range";

interface LogHistogramProps {
  filters: GenerationFilters;
  /** The chosen time range, for its label. */
  range: TimeRange;
  timeZone: string;
  onZoom: (range: { from: string; to: string }) => void;
}

const PARTS = [
  ["failed", "bg-danger-fill"],
  ["blocked", "bg-warning"],
  ["cancelled", "bg-muted/40"],
  ["succeeded", "bg-muted/60"],
] as const;

/** Number of generations over time. Dragging over bars, or Shift and arrow keys, zooms in. */
export function LogHistogram({ filters: { q: _, ...filters }, range, timeZone, onZoom }: LogHistogramProps) {
  const [now] = useState(() => Date.now());
  const { ends, phrase } = histogramRange(filters, now);
  const usage = useQuery({
    ...apiQuery(getUsage, { query: { ...filters, ...ends } }),
    placeholderData: keepPreviousData,
    select: ({ data }) => data,
  });
  const [brush, setBrush] = useState<Brush | null>(null);
  const series = usage.data?.series ?? [];
  const clock = chartClock(
    series.map(({ at }) => ({ at })),
    timeZone,
    usage.data?.bucket_seconds,
  );
  const most = Math.max(1, ...series.map(({ requests }) => requests));
  const total = usage.data?.totals.requests ?? 0;

  const say = (at: number) => {
    const bucket = series[at];
    if (bucket) announce(`${clock.exact(bucket.at)}: ${formatCount(bucket.requests)} generations`);
  };
  const zoom = (chosen: Brush) => {
    const to = brushed(series, chosen, usage.data?.bucket_seconds ?? 0);
    setBrush(null);
    if (to) onZoom(to);
  };
  const placeOf = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(series.length - 1, Math.floor(((clientX - left) / width) * series.length)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined && series.length > 0) {
      event.preventDefault();
      const end = brush === null ? series.length - 1 : Math.max(0, Math.min(series.length - 1, brush.end + step));
      setBrush({ start: event.shiftKey && brush ? brush.start : end, end });
      say(end);
    } else if (event.key === "Enter" && brush) zoom(brush);
    else if (event.key === "Escape") setBrush(null);
  };
  const [low, high] = brush ? [Math.min(brush.start, brush.end), Math.max(brush.start, brush.end)] : [-1, -2];
  return (
    <figure className="mb-3 grid gap-1">
      <figcaption className="flex items-baseline justify-between gap-3 text-[13px] text-muted">
        <span role="status">
          {usage.data
            ? `${formatCount(total)} ${total === 1 ? "generation" : "generations"}${phrase === null ? ` · ${describeRange(range, timeZone)}` : ` ${phrase}`}`
            : "Counting generations…"}
        </span>
        {total > 0 && <span className="max-sm:hidden">Drag to zoom</span>}
      </figcaption>
      <div
        role="group"
        tabIndex={0}
        aria-label="Generations over time. Arrow keys choose a time, Shift extends it, Enter zooms."
        className="relative flex h-10 touch-none items-end gap-px rounded-sm border-b"
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0 || series.length === 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const place = placeOf(event);
          setBrush({ start: place, end: place });
        }}
        onPointerMove={(event) => {
          if (brush && event.currentTarget.hasPointerCapture(event.pointerId))
            setBrush({ ...brush, end: placeOf(event) });
        }}
        onPointerUp={() => brush && zoom(brush)}
        onPointerCancel={() => setBrush(null)}
      >
        {series.map((bucket, index) => (
          <div
            key={bucket.at}
            title={`${clock.exact(bucket.at)}: ${formatCount(bucket.requests)}`}
            className={cn(
              "flex h-full min-w-0 flex-1 flex-col justify-end hover:bg-subtle",
              index >= low && index <= high && "bg-accent-subtle",
            )}
          >
            {PARTS.map(([status, look]) => (
              <div key={status} className={look} style={{ height: `${(100 * bucket[status]) / most}%` }} />
            ))}
          </div>
        ))}
      </div>
    </figure>
  );
}
