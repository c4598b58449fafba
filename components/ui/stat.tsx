import { ArrowDownRight, ArrowUpRight } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./class-names";
import type { Change } from "./trend";

/** Change from the previous period, colored as favorable or unfavorable. */
export function Trend({ trend }: { trend: Change | null | undefined }) {
  if (!trend) return null;
  const { text, direction, isGood } = trend;
  const Icon = direction === "down" ? ArrowDownRight : ArrowUpRight;
  return (
    <span
      className={cn(
        "inline-flex items-center gap-0.5 text-xs font-medium text-muted tabular-nums",
        isGood === true && "text-success",
        isGood === false && "text-danger",
      )}
    >
      {direction !== "flat" && <Icon aria-hidden className="size-3.5" />}
      {text}
    </span>
  );
}

interface StatProps {
  label: string;
  value: ReactNode;
  hint?: ReactNode;
  trend?: Change | null | undefined;
  /** A `Sparkline`. */
  children?: ReactNode;
}

/** Key figure with its label. */
export function Stat({ label, value, hint, trend, children }: StatProps) {
  return (
    <div className="grid content-between gap-3 p-4 sm:px-5">
      <dl className="grid content-start gap-0.5">
        <dt className="text-[13px] text-muted">{label}</dt>
        <dd className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-2xl font-semibold tracking-tight tabular-nums">{value}</span>
          <Trend trend={trend} />
        </dd>
        {hint && <dd className="text-[13px] text-muted">{hint}</dd>}
      </dl>
      {children}
    </div>
  );
}
