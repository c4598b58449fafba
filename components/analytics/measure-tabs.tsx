import { useId } from "react";
import { cn } from "@/components/ui/class-names";
import { Trend } from "@/components/ui/stat";
import { trendOf } from "@/components/ui/trend";
import type { Usage } from "@/lib/features/analytics/usage-contract";
import { MEASURES, type Measure } from "@/lib/features/analytics/vocabulary";
import { MEASURE_LOOK } from "./measures";

interface MeasureTabsProps {
  usage: Usage;
  value: Measure;
  onChange: (measure: Measure) => void;
}

/** Totals of the range; the chosen one is charted. Native radio buttons. */
export function MeasureTabs({ usage, value, onChange }: MeasureTabsProps) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label="Measure" className="grid grid-cols-2 border-b sm:grid-cols-3 lg:grid-cols-5">
      {MEASURES.map((measure) => {
        const { label, valueOf, format, good } = MEASURE_LOOK[measure];
        const now = valueOf(usage.totals);
        return (
          <label
            key={measure}
            className={cn(
              "relative grid content-start gap-0.5 border-b-2 border-transparent px-4 py-3 outline-accent -outline-offset-2 select-none hover:bg-subtle/60 has-focus-visible:outline-2 sm:px-5",
              measure === value && "border-primary",
            )}
          >
            <input
              type="radio"
              name={name}
              value={measure}
              checked={measure === value}
              onChange={() => onChange(measure)}
              className="absolute inset-0 cursor-pointer appearance-none outline-none"
            />
            <span className={cn("text-[13px] text-muted", measure === value && "text-foreground")}>{label}</span>
            <span className="flex flex-wrap items-baseline gap-x-2">
              <span className="text-xl font-semibold tracking-tight tabular-nums">{format(now)}</span>
              <Trend trend={trendOf(now, valueOf(usage.previous), good)} />
            </span>
          </label>
        );
      })}
    </div>
  );
}
