import { logLink, type Counted } from "@/components/generations/log-link";
import { Switch } from "@/components/ui/switch";
import type { Usage } from "@/lib/features/analytics/usage-contract";
import type { Dimension } from "@/lib/features/analytics/vocabulary";
import { DIMENSION_LABELS, type AnalyticsState } from "./analytics-state";
import { GroupTable, rowsOf } from "./group-table";
import { groupFilter, groupName, UsageChart } from "./usage-chart";

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

/** The chosen measure over time, stacked by groups, with a table of the groups. */
export function UsageCard({ usage, previous, state, dimensions, counted, timeZone, onChange }: UsageCardProps) {
  const { measure, compare, by } = state;
  const linkTo = (id: string | null, status: string | null) =>
    id === null ? undefined : logLink(counted, groupFilter(by, id, status));
  return (
    <div className="grid gap-4">
      <UsageChart {...{ usage, previous, measure, by, dimensions, counted, timeZone, onChange }}>
        <label className="flex items-center gap-2 text-[13px] text-muted">
          <Switch checked={compare} onChange={(next) => onChange({ compare: next })} />
          Compare with the previous period
        </label>
      </UsageChart>
      {usage.groups.length > 0 && (
        <GroupTable
          rows={rowsOf(usage, (group) => groupName(group, by), linkTo)}
          dimension={DIMENSION_LABELS[by]}
          measure={measure}
        />
      )}
    </div>
  );
}
