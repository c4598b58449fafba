import type { ReactNode } from "react";
import { bucketOf, logLink, type Counted } from "@/components/generations/log-link";
import { unpricedNote } from "@/components/generations/generation-format";
import { Select } from "@/components/ui/select";
import { StackedChart } from "@/components/ui/stacked-chart";
import type { Usage } from "@/lib/features/analytics/usage-contract";
import { BLOCKED_FILTERS, GROUP_FILTERS, type Measure, type Dimension } from "@/lib/features/analytics/vocabulary";
import { DIMENSION_LABELS } from "./analytics-state";
import { MeasureTabs } from "./measure-tabs";
import { MEASURE_LOOK } from "./measures";
import { groupKey, usageChart } from "./usage-series";

/** Name of a group, or of the requests without one. */
export const groupName = ({ name, id }: Usage["groups"][number], by: Dimension): string =>
  name?.trim() || id || `No ${DIMENSION_LABELS[by].toLowerCase()}`;

/** Filters of the log for a group's requests, optionally of one status. */
export function groupFilter(by: Dimension, id: string, status: string | null): Record<string, string | null> {
  const blocked = status === "blocked" ? BLOCKED_FILTERS[by] : undefined;
  return blocked === undefined ? { [GROUP_FILTERS[by]]: id, status } : { [blocked]: id };
}

interface UsageChartProps {
  usage: Usage;
  /** Usage of the previous period, if it is compared. */
  previous?: Usage | undefined;
  measure: Measure;
  by: Dimension;
  dimensions: readonly Dimension[];
  /** Requests counted by the chart, for links to the log. */
  counted: Counted;
  timeZone: string;
  onChange: (change: { measure?: Measure; by?: Dimension }) => void;
  /** Further controls, beside the grouping. */
  children?: ReactNode;
}

/** The chosen measure over time, stacked by groups. */
export function UsageChart({
  usage,
  previous,
  measure,
  by,
  dimensions,
  counted,
  timeZone,
  onChange,
  children,
}: UsageChartProps) {
  const { label, valueOf, unit, status } = MEASURE_LOOK[measure];
  const chart = usageChart(usage, valueOf, (group) => groupName(group, by), previous);
  const hrefOf = (at: string, key: string | null) => {
    const bucket = bucketOf(counted, at, usage.bucket_seconds);
    if (key === null) return logLink(bucket, { status });
    const id = usage.groups.find((_, place) => groupKey(place) === key)?.id ?? null;
    return id === null ? undefined : logLink(bucket, groupFilter(by, id, status));
  };
  return (
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
          {children}
        </div>
        <StackedChart
          {...chart}
          label={`${label} over time by ${DIMENSION_LABELS[by].toLowerCase()}`}
          unit={unit}
          timeZone={timeZone}
          bucketSeconds={usage.bucket_seconds}
          hrefOf={hrefOf}
          empty={usage.totals.requests === 0 ? "No requests in this range." : `${label}: none in this range.`}
        />
        {measure === "spend" && usage.totals.unpriced_requests > 0 && (
          <p className="text-[13px] text-muted">{unpricedNote(usage.totals.unpriced_requests)}</p>
        )}
        {by === "tag" && (
          <p className="text-[13px] text-muted">
            A request counts under each tag of its key and its member. Earlier requests count under the current tags.
          </p>
        )}
      </div>
    </section>
  );
}
