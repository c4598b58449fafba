import { ArrowDownRight, ArrowUpRight } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./class-names";

interface StatProps {
  label: string;
  value: ReactNode;
  hint?: ReactNode;
  /** Change against the previous period: "+12%". `isGood` sets the color; neutral if omitted. */
  trend?: { text: string; direction: "up" | "down" | "flat"; isGood?: boolean } | null | undefined;
}

/** Key figure with its label. */
export function Stat({ label, value, hint, trend }: StatProps) {
  const Icon = trend?.direction === "down" ? ArrowDownRight : ArrowUpRight;
  return (
    <dl className="grid content-start gap-1 rounded-lg border bg-surface p-4">
      <dt className="text-[13px] text-muted">{label}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-xl font-semibold tracking-tight tabular-nums">{value}</span>
        {trend && (
          <span
            className={cn(
              "inline-flex items-center gap-0.5 text-xs font-medium text-muted",
              trend.isGood === true && "text-success",
              trend.isGood === false && "text-danger",
            )}
          >
            {trend.direction !== "flat" && <Icon aria-hidden className="size-3.5" />}
            {trend.text}
          </span>
        )}
      </dd>
      {hint && <dd className="text-[13px] text-muted">{hint}</dd>}
    </dl>
  );
}
