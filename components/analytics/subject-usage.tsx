"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import type { Subject } from "@/components/generations/log-link";
import { DataState } from "@/components/layout/data-state";
import { useMay } from "@/components/session/user-context";
import { TimeRangePicker } from "@/components/time-range/time-range-picker";
import { useTimeZone } from "@/components/time-range/use-time-zone";
import { Skeleton } from "@/components/ui/skeleton";
import { MAX_DAYS } from "@/lib/features/analytics/vocabulary";
import { RANGES } from "@/lib/records/generations/vocabulary";
import { subjectUsageQuery } from "./analytics-queries";
import { defaultDimension, dimensionsOf, MEMBER_DIMENSIONS, SUBJECT_USAGE_STATE } from "./analytics-state";
import { USAGE_HEIGHT } from "./subject-usage-skeleton";
import { UsageChart } from "./usage-chart";

/** Usage of a key or member over time. Range, measure and grouping are kept in the URL. */
export function SubjectUsage({ of }: { of: Subject }) {
  const seesAll = useMay("analytics:read");
  const [state, setState] = useQueryStates(SUBJECT_USAGE_STATE, { history: "push" });
  const dimensions = dimensionsOf(of).filter((dimension) => seesAll || MEMBER_DIMENSIONS.includes(dimension));
  const by = dimensions.find((dimension) => dimension === state.by) ?? defaultDimension(of);
  const query = useQuery(subjectUsageQuery({ ...state, by }, of));
  const timeZone = useTimeZone(state.zone);
  return (
    <section aria-labelledby="usage" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="usage" className="text-sm font-semibold">
          Usage
        </h2>
        <TimeRangePicker
          value={state}
          presets={RANGES}
          maxDays={MAX_DAYS}
          onChange={(change) => void setState(change)}
        />
      </div>
      <DataState query={query} subject="usage" skeleton={<Skeleton className={USAGE_HEIGHT} />}>
        {({ data }) => (
          <div aria-busy={query.isPlaceholderData} className={USAGE_HEIGHT}>
            <UsageChart
              usage={data}
              measure={state.measure}
              by={by}
              dimensions={dimensions}
              counted={{ workspace: null, from: data.from, to: data.to, only: of }}
              timeZone={timeZone}
              onChange={(change) => void setState(change)}
            />
          </div>
        )}
      </DataState>
    </section>
  );
}
