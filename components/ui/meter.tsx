import type { ReactNode } from "react";
import { cn } from "./class-names";

interface MeterProps {
  label: string;
  value: number;
  max: number;
  /** Text shown next to the meter and announced: "$8.20 of $10.00". */
  text?: string;
  /** Shows the bar alone; label and text are still announced. */
  isBarOnly?: boolean;
}

const NEARLY_FULL = 0.8;

/** Usage of a limit. Uses a warning color from 80%. */
export function Meter({ label, value, max, text, isBarOnly }: MeterProps): ReactNode {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : value > 0 ? 1 : 0;
  const said = text ?? `${Math.round(share * 100)}%`;
  return (
    <div className="grid min-w-0 gap-1">
      {!isBarOnly && (
        <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-[13px]">
          <span className="min-w-0 truncate font-medium">{label}</span>
          <span className="text-muted tabular-nums">{said}</span>
        </div>
      )}
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={said}
        title={isBarOnly ? said : undefined}
        className="h-1.5 overflow-hidden rounded-full bg-subtle-strong"
      >
        <div
          className={cn(
            "h-full rounded-full",
            share >= 1 ? "bg-danger" : share >= NEARLY_FULL ? "bg-warning" : "bg-accent",
          )}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  );
}
