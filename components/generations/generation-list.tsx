"use client";
import { useQueryState } from "nuqs";
import { useCallback, useMemo } from "react";
import { DataState } from "@/components/layout/data-state";
import { FilterBar } from "@/components/layout/filter-bar";
import { PageHeader } from "@/components/layout/page-header";
import { RELATIVE_RANGES } from "@/components/time-range/time-range";
import { TimeRangePicker } from "@/components/time-range/time-range-picker";
import { useTimeZone } from "@/components/time-range/use-time-zone";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { DataTableSkeleton } from "@/components/ui/data-table";
import { lazyComponent } from "@/components/ui/lazy-component";
import { useNow } from "@/components/ui/use-now";
import { spansDays } from "./clock-text";
import { DeleteContents } from "./delete-contents";
import { EmptyLog } from "./empty-log";
import { ExportButton } from "./export-button";
import { useFilterDefinitions } from "./filter-definitions";
import { generationColumns } from "./generation-columns";
import { isNarrowed, VIEW_STATE, type LogSort } from "./generation-list-state";
import { GenerationTable } from "./generation-table";
import { LiveToggle } from "./live-toggle";
import { OpenedGeneration, useOpenGeneration } from "./opened-generation";
import { SavedViewsMenu } from "./saved-views-menu";
import { useGenerationLog } from "./use-generation-log";
import { useLogFilters } from "./use-log-filters";

const LogHistogram = lazyComponent(() => import("./log-histogram").then((file) => file.LogHistogram), { ssr: false });

/** The log. Filters, columns and the open generation are kept in the URL. */
export const GenerationList = ({ openedAt }: { openedAt: number }) => (
  <OpenedGeneration>
    <GenerationLog openedAt={openedAt} />
  </OpenedGeneration>
);

function GenerationLog({ openedAt }: { openedAt: number }) {
  const seesAll = useMay("generations:read");
  const canReadContents = useMay("contents:read");
  const canDeleteContents = useMay("contents:delete");
  const open = useOpenGeneration();
  const { state, applied, filters, query, range, search, change, changeRange, changeSort, clear, apply } =
    useLogFilters(open, openedAt);
  const timeZone = useTimeZone(range.zone);
  const [live, setLive] = useQueryState("live", VIEW_STATE.live.withOptions({ history: "push" }));
  const definitions = useFilterDefinitions(state, seesAll);
  const { sort } = applied;
  // Following the log is in order of time.
  const isLive = live && sort === null;
  const { log, rows, waiting, showWaiting, hasLiveFailed } = useGenerationLog({ filters, sort }, isLive);
  const follow = (next: boolean) => {
    void setLive(next || null);
    if (next) changeSort(null);
  };
  const sortBy = useCallback(
    (next: LogSort | null) => {
      changeSort(next);
      if (next) void setLive(null);
    },
    [changeSort, setLive],
  );
  const hasDate = spansDays(filters.from, filters.to, useNow(), timeZone);
  const columns = useMemo(
    () =>
      generationColumns(
        (id) => `/generations?${query && `${query}&`}id=${id}`,
        open,
        canReadContents ? { q: filters.q ?? "" } : undefined,
        { zone: range.zone, hasDate },
      ),
    [query, open, canReadContents, filters.q, range.zone, hasDate],
  );
  const { fetchNextPage } = log;
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return (
    <>
      <PageHeader
        title="Generations"
        description={sort ? "Every request to a model." : "Every request to a model, newest first."}
        action={<LiveToggle isLive={isLive} hasFailed={hasLiveFailed} onChange={follow} />}
      />
      <FilterBar
        search={{ label: canReadContents ? "Search text or ID" : "Search by ID", value: state.q, onChange: search }}
        lead={<TimeRangePicker value={range} presets={RELATIVE_RANGES} align="start" onChange={changeRange} />}
        filters={definitions}
        values={state}
        onChange={change}
        onClear={clear}
        actions={
          <>
            <SavedViewsMenu query={query} onApply={apply} />
            <ExportButton filters={filters} />
            {canDeleteContents && (
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
      {waiting > 0 && <NewRowsButton count={waiting} onShow={showWaiting} />}
      <DataState query={log} subject="generations" skeleton={<DataTableSkeleton columns={columns} rows={12} />}>
        {() =>
          rows.length === 0 ? (
            <EmptyLog
              range={range}
              timeZone={timeZone}
              isNarrowed={isNarrowed(applied)}
              requestId={applied.request_id}
              onClear={clear}
              onWiden={(wider) => changeRange({ range: wider, from: null, to: null })}
            />
          ) : (
            <GenerationTable
              rows={rows}
              sort={state.sort}
              onSort={sortBy}
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

/** Button that shows new rows, which are held back while the user has scrolled down. */
const NewRowsButton = ({ count, onShow }: { count: number; onShow: () => void }) => (
  <div className="sticky top-16 z-30 flex h-0 justify-center">
    <Button
      variant="primary"
      size="sm"
      className="rounded-full shadow-md"
      onClick={() => {
        onShow();
        // After two frames, because measuring the new rows moves the page again.
        requestAnimationFrame(() => requestAnimationFrame(() => window.scrollTo({ top: 0 })));
      }}
    >
      {count} new
    </Button>
  </div>
);
