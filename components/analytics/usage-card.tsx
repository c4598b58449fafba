import { bucketOf, logLink, type Counted } from "@/components/generations/log-link";
import { Select } from "@/components/ui/select";
import { StackedChart } from "@/components/ui/stacked-chart";
import { Switch } from "@/components/ui/switch";
import type { Usage } from "@/lib/features/analytics/usage-contract";
import { GROUP_FILTERS } from "@/lib/features/analytics/vocabulary";
import type { AnalyticsState, Dimension } from "./analytics-state";
import { GroupTable, rowsOf } from "./group-table";
import { MeasureTabs } from "./measure-tabs";
import { MEASURE_LOOK } from "./measures";
import { groupKey, usageChart } from "./usage-series";

export const DIMENSION_LABELS: Readonly<Record<Dimension, string>> = {
  model: "Model",
  provider: "Provider",
  key: "Key",
  member: "Member",
  guardrail: "Guardrail",
  preset: "Preset",
};

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
  const { label, valueOf, unit, status } = MEASURE_LOOK[measure];
  const dimension = DIMENSION_LABELS[by];
  const nameOf = ({ name, id }: Usage["groups"][number]) => name?.trim() || id || `No ${dimension.toLowerCase()}`;
  const linkTo = (covered: Counted, id: string | null, only: string | null) =>
    id === null ? undefined : logLink(covered, { [GROUP_FILTERS[by]]: id, status: only });
  const chart = usageChart(usage, valueOf, nameOf, previous);
  const hrefOf = (at: string, key: string | null) => {
    const bucket = bucketOf(counted, at, usage.bucket_seconds);
    if (key === null) return logLink(bucket, { status });
    return linkTo(bucket, usage.groups.find((_, place) => groupKey(place) === key)?.id ?? null, status);
  };
  return (
    <div className="grid gap-4">
      <section aria-label="Usage over time" className="rounded-lg border bg-surface">
        <MeasureTabs usage={usage} value={measure} onChange={(next) => onChange({ measure: next })} />
        <div className="grid gap-4 p-4 sm:px-5">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <label className="flex items-center gap-2 text-[13px] text-muted">
              Group by
              <Select
                aria-label="Group by"
                className="w-36"
                value={by}
                onValueChange={(next) => onChange({ by: next })}
                options={dimensions.map((value) => ({ value, label: DIMENSION_LABELS[value] }))}
              />
            </label>
            <label className="flex items-center gap-2 text-[13px] text-muted">
              <Switch checked={compare} onChange={(next) => onChange({ compare: next })} />
              Compare with the previous period
            </label>
          </div>
          <StackedChart
            {...chart}
            label={`${label} over time by ${dimension.toLowerCase()}`}
            unit={unit}
            timeZone={timeZone}
            bucketSeconds={usage.bucket_seconds}
            hrefOf={hrefOf}
            empty={usage.totals.requests === 0 ? "No requests in this range." : `${label}: none in this range.`}
          />
        </div>
      </section>
      {usage.groups.length > 0 && (
        <GroupTable
          rows={rowsOf(usage, nameOf, (id, only) => linkTo(counted, id, only))}
          dimension={dimension}
          measure={measure}
        />
      )}
    </div>
  );
}
