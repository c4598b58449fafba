"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { useUser } from "@/components/session/user-context";
import { TimeRangePicker } from "@/components/time-range/time-range-picker";
import { useTimeZone } from "@/components/time-range/use-time-zone";
import { Skeleton } from "@/components/ui/skeleton";
import type { Usage } from "@/lib/features/analytics/usage-contract";
import { DIMENSIONS, MAX_DAYS, type Dimension } from "@/lib/features/analytics/vocabulary";
import { RANGES } from "@/lib/records/generations/vocabulary";
import { analyticsQuery, previousUsageQuery } from "./analytics-queries";
import { ANALYTICS_STATE, MEMBER_DIMENSIONS, type AnalyticsState } from "./analytics-state";
import { ExportUsage } from "./export-usage";
import { LatencyCharts } from "./latency-charts";
import { UsageCard } from "./usage-card";

/** Usage, errors and latency over time. Range, measure, grouping and comparison are kept in the URL. */
export function AnalyticsPage() {
  const { isAdmin } = useUser();
  const [inUrl, setState] = useQueryStates(ANALYTICS_STATE, { history: "push" });
  const dimensions = isAdmin ? DIMENSIONS : MEMBER_DIMENSIONS;
  const state = { ...inUrl, by: dimensions.includes(inUrl.by) ? inUrl.by : "model" } as const;
  const query = useQuery(analyticsQuery(state));
  const timeZone = useTimeZone(state.zone);
  return (
    <>
      <PageHeader
        title="Analytics"
        description={
          isAdmin ? "Usage, failures and latency over time." : "Usage, failures and latency of your own requests."
        }
        action={
          <>
            <TimeRangePicker
              value={state}
              presets={RANGES}
              maxDays={MAX_DAYS}
              onChange={(change) => void setState(change)}
            />
            {query.data && <ExportUsage usage={query.data.data} by={state.by} />}
          </>
        }
      />
      <DataState query={query} subject="analytics" skeleton={<AnalyticsSkeleton />}>
        {({ data }) => (
          <div className="grid gap-4" aria-busy={query.isPlaceholderData}>
            <Charts
              usage={data}
              state={state}
              timeZone={timeZone}
              dimensions={dimensions}
              onChange={(change) => void setState(change)}
            />
          </div>
        )}
      </DataState>
    </>
  );
}

interface ChartsProps {
  usage: Usage;
  state: AnalyticsState;
  timeZone: string;
  dimensions: readonly Dimension[];
  onChange: (change: Partial<AnalyticsState>) => void;
}

function Charts({ usage, state, timeZone, dimensions, onChange }: ChartsProps) {
  const { workspace, compare } = state;
  const previous = useQuery({ ...previousUsageQuery(usage, workspace), enabled: compare });
  const counted = { workspace, from: usage.from, to: usage.to };
  return (
    <>
      <UsageCard
        usage={usage}
        previous={compare ? previous.data?.data : undefined}
        state={state}
        dimensions={dimensions}
        counted={counted}
        timeZone={timeZone}
        onChange={onChange}
      />
      <LatencyCharts usage={usage} counted={counted} timeZone={timeZone} />
    </>
  );
}

const AnalyticsSkeleton = () => (
  <div className="grid gap-4">
    <Skeleton className="h-96" />
    <Skeleton className="h-64" />
    <div className="grid gap-4 lg:grid-cols-2 xl:grid-cols-3">
      {["first token", "duration", "speed"].map((chart) => (
        <Skeleton key={chart} className="h-80" />
      ))}
    </div>
  </div>
);
