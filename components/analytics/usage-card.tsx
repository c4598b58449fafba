import type { Counted } from "@/components/generations/log-link";
import { Switch } from "@/components/ui/switch";
import type { Usage } from "@/lib/features/analytics/usage-contract";
import type { Dimension } from "@/lib/features/analytics/vocabulary";
import type { AnalyticsState } from "./analytics-state";
import { UsageChart } from "./usage-chart";

interface UsageCardProps {
  usage: Usage;
  /** Usage of the previous period, if it is compared. */
  previous: Usage | undefined;
  state: AnalyticsState;
  dimensions: readonly Dimension[];
  counted: Counted;
  timeZone: string;
  onChange: (change: Partial<Pick<AnalyticsState, "measure" | "by" | "compare">>) => void;
}

/** The chosen measure over time, stacked by groups. */
export function UsageCard({ state, onChange, ...chart }: UsageCardProps) {
  const { measure, compare, by } = state;
  return (
    <UsageChart {...chart} {...{ measure, by, onChange }}>
      <label className="flex items-center gap-2 text-[13px] text-muted">
        <Switch checked={compare} onChange={(next) => onChange({ compare: next })} />
        Compare with the previous period
      </label>
    </UsageChart>
  );
}
