"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { logLink } from "@/components/generations/log-link";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { useMay } from "@/components/session/user-context";
import { TimeRangePicker } from "@/components/time-range/time-range-picker";
import { useTimeZone } from "@/components/time-range/use-time-zone";
import { lazyComponent } from "@/components/ui/lazy-component";
import { LinkButton } from "@/components/ui/link-button";
import { Skeleton } from "@/components/ui/skeleton";
import type { Usage } from "@/lib/features/analytics/usage-contract";
import { DIMENSIONS, MAX_DAYS, type Dimension } from "@/lib/features/analytics/vocabulary";
import { RANGES } from "@/lib/records/generations/vocabulary";
import { analyticsQuery, previousUsageQuery, sortedQuery } from "./analytics-queries";
import { ANALYTICS_STATE, MEMBER_DIMENSIONS, narrowedBy, narrowedLink, type AnalyticsState } from "./analytics-state";
import { ExportUsage } from "./export-usage";
import { groupRowsOf, LatencyTable, UsageTable } from "./group-table";
import { LatencyCharts } from "./latency-charts";
import { UsageCard } from "./usage-card";

const AnalyticsFilters = lazyComponent(() => import("./analytics-filters").then((file) => file.AnalyticsFilters));

/** Usage, errors and latency over time. Range, measure, grouping and comparison are kept in the URL. */
export function AnalyticsPage() {
  const seesAll = useMay("analytics:read");
  const [inUrl, setState] = useQueryStates(ANALYTICS_STATE, { history: "push" });
  const dimensions = seesAll ? DIMENSIONS : MEMBER_DIMENSIONS;
  const state = { ...inUrl, by: dimensions.includes(inUrl.by) ? inUrl.by : "model" } as const;
  const query = useQuery(analyticsQuery(state));
  const timeZone = useTimeZone(state.zone);
  return (
    <>
      <PageHeader
        title="Analytics"
        description={
          seesAll ? "Usage, failures and latency over time." : "Usage, failures and latency of your own requests."
        }
        action={
          <>
            <TimeRangePicker
              value={state}
              presets={RANGES}
              maxDays={MAX_DAYS}
              onChange={(change) => void setState(change)}
            />
            {query.data && (
              <>
                <LinkButton
                  href={logLink({ ...query.data.data, workspace: state.workspace, only: narrowedBy(state) }, {})}
                >
                  Show in log
                </LinkButton>
                <ExportUsage usage={query.data.data} by={state.by} />
              </>
            )}
          </>
        }
      />
      {/* The height of the filters, which load later. */}
      <div className="min-h-11 sm:min-h-10">
        <AnalyticsFilters state={state} seesAll={seesAll} onChange={(change) => void setState(change)} />
      </div>
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
  const { workspace, compare, measure, by } = state;
  const previous = useQuery({ ...previousUsageQuery(usage, state), enabled: compare });
  const order = sortedQuery(state);
  const sorted = useQuery({
    ...(order ?? analyticsQuery(state)),
    placeholderData: (before) => before ?? { data: usage },
  });
  const counted = { workspace, from: usage.from, to: usage.to, only: narrowedBy(state) };
  const table = {
    by,
    measure,
    sort: { value: state.sort ?? `-${measure}`, onChange: (sort: string | null) => onChange({ sort }) },
  };
  const rowsIn = ({ data }: { data: Usage }) => groupRowsOf(data, by, counted, (id) => narrowedLink(state, id));
  const skeleton = <Skeleton className="h-64" />;
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
      <DataState query={sorted} subject="groups" skeleton={skeleton}>
        {(answer) => (
          <div className="min-w-0">
            <UsageTable rows={rowsIn(answer)} {...table} />
          </div>
        )}
      </DataState>
      <LatencyCharts usage={usage} counted={counted} timeZone={timeZone} />
      {sorted.data && <LatencyTable rows={rowsIn(sorted.data)} {...table} />}
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
