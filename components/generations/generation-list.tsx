"use client";
import { Activity, SearchX } from "lucide-react";
import { useQueryState, useQueryStates } from "nuqs";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { FilterBar } from "@/components/layout/filter-bar";
import { PageHeader } from "@/components/layout/page-header";
import { RELATIVE_RANGES, type TimeRange } from "@/components/time-range/time-range";
import { TimeRangePicker } from "@/components/time-range/time-range-picker";
import { useTimeZone } from "@/components/time-range/use-time-zone";
import { useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { DataTableSkeleton } from "@/components/ui/data-table";
import { lazyComponent } from "@/components/ui/lazy-component";
import { EmptyState } from "@/components/ui/empty-state";
import { DeleteContents } from "./delete-contents";
import { ExportButton } from "./export-button";
import { useFilterDefinitions } from "./filter-definitions";
import { generationColumns } from "./generation-columns";
import {
  FILTER_STATE,
  filterQuery,
  filtersOf,
  isNarrowed,
  loadFilterState,
  VIEW_STATE,
  type FilterState,
} from "./generation-list-state";
import { GenerationTable } from "./generation-table";
import { LiveToggle } from "./live-toggle";
import { OpenedGeneration, useOpenGeneration } from "./opened-generation";
import { SavedViewsMenu } from "./saved-views-menu";
import { useGenerationLog } from "./use-generation-log";

const LogHistogram = lazyComponent(() => import("./log-histogram").then((file) => file.LogHistogram), { ssr: false });

const GENERATION_ID = /^gen-\d{1,10}-[0-9A-Za-z]{20}$/;

/** The log. Filters, columns and the open generation are kept in the URL. */
export const GenerationList = () => (
  <OpenedGeneration>
    <GenerationLog />
  </OpenedGeneration>
);

function GenerationLog() {
  const { isAdmin } = useUser();
  const open = useOpenGeneration();
  const [filterState, setFilters] = useQueryStates(FILTER_STATE, { history: "push" });
  const [zone, setZone] = useQueryState("zone", VIEW_STATE.zone);
  const timeZone = useTimeZone(zone);
  const [live, setLive] = useQueryState("live", VIEW_STATE.live.withOptions({ history: "push" }));
  // Controls update immediately; the rows follow when they have loaded.
  const applied = useDeferredValue(filterState);
  const [now, setNow] = useState(() => Date.now());
  const filters = useMemo(() => filtersOf(applied, now), [applied, now]);
  const query = useMemo(() => filterQuery(applied), [applied]);
  const definitions = useFilterDefinitions(filterState, isAdmin);
  const { log, rows, waiting, showWaiting, hasLiveFailed } = useGenerationLog(filters, live);
  const columns = useMemo(
    () =>
      generationColumns(
        (id) => `/generations?${query && `${query}&`}id=${id}`,
        open,
        isAdmin ? { q: filters.q ?? "" } : undefined,
      ),
    [query, open, isAdmin, filters.q],
  );
  const { fetchNextPage } = log;
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const clear = () =>
    void setFilters({
      ...Object.fromEntries(Object.keys(FILTER_STATE).map((key) => [key, null])),
      workspace: filterState.workspace,
    });
  const search = (q: string | null) => {
    const given = q?.trim() ?? "";
    if (GENERATION_ID.test(given)) open(given);
    else void setFilters({ q: given === "" ? null : q });
  };
  const change = (key: string, value: string[] | string | null) => {
    const isList = Array.isArray(filterState[key as keyof FilterState]);
    void setFilters({ [key]: isList && typeof value === "string" ? [value] : value });
  };
  const range = { range: filterState.range, from: filterState.from, to: filterState.to, zone };
  const changeRange = ({ zone: nextZone, ...ends }: Partial<TimeRange>) => {
    setNow(Date.now());
    if (nextZone !== undefined) void setZone(nextZone);
    void setFilters(ends);
  };
  return (
    <>
      <PageHeader
        title="Generations"
        description="Every request to a model, newest first."
        action={<LiveToggle isLive={live} hasFailed={hasLiveFailed} onChange={(next) => void setLive(next || null)} />}
      />
      <FilterBar
        search={{ label: isAdmin ? "Search text or ID" : "Search by ID", value: filterState.q, onChange: search }}
        lead={
          <TimeRangePicker value={range} presets={RELATIVE_RANGES} isOptional align="start" onChange={changeRange} />
        }
        filters={definitions}
        values={filterState}
        onChange={change}
        onClear={clear}
        actions={
          <>
            <SavedViewsMenu
              query={query}
              onApply={(saved) => {
                setNow(Date.now());
                void setFilters(loadFilterState(new URLSearchParams(saved)));
              }}
            />
            <ExportButton filters={filters} />
            {isAdmin && (
              <DeleteContents filters={filters} definitions={definitions} values={applied} timeZone={timeZone} />
            )}
          </>
        }
      />
      <div className="min-h-17 folds-away:hidden">
        {filters.q === undefined ? (
          <LogHistogram
            filters={filters}
            range={range}
            timeZone={timeZone}
            onZoom={(ends) => changeRange({ range: null, ...ends })}
          />
        ) : (
          <p className="text-[13px] text-muted">
            No histogram for text searches: counting their results would read every stored text.
          </p>
        )}
      </div>
      {waiting > 0 && (
        <div className="sticky top-16 z-30 flex h-0 justify-center">
          <Button
            variant="primary"
            size="sm"
            className="rounded-full shadow-md"
            onClick={() => {
              showWaiting();
              // Measuring the new rows moves the page once more.
              requestAnimationFrame(() => requestAnimationFrame(() => window.scrollTo({ top: 0 })));
            }}
          >
            {waiting} new
          </Button>
        </div>
      )}
      <DataState query={log} subject="generations" skeleton={<DataTableSkeleton columns={columns} rows={12} />}>
        {() =>
          rows.length === 0 ? (
            <NoRows isNarrowed={isNarrowed(applied)} onClear={clear} />
          ) : (
            <GenerationTable
              rows={rows}
              columns={columns}
              hasMore={log.hasNextPage}
              isLoading={log.isFetchingNextPage}
              onMore={loadMore}
            />
          )
        }
      </DataState>
    </>
  );
}

function NoRows({ isNarrowed: isFiltered, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState icon={SearchX} title="No results" action={<Button onClick={onClear}>Clear all filters</Button>}>
        Try a wider time range or remove a filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Activity} title="No generations yet">
      Requests sent through Signalbox appear here with their tokens, cost and policy decisions.
    </EmptyState>
  );
}
