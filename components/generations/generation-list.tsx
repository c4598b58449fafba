"use client";
import { Activity, SearchX } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useCallback, useMemo } from "react";
import { DataState } from "@/components/layout/data-state";
import { FilterBar } from "@/components/layout/filter-bar";
import { PageHeader } from "@/components/layout/page-header";
import { useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { DataTableSkeleton } from "@/components/ui/data-table";
import { deferredComponent } from "@/components/ui/deferred-component";
import { EmptyState } from "@/components/ui/empty-state";
import { DeleteContents } from "./delete-contents";
import { ExportDialog } from "./export-dialog";
import { useFilterDefinitions } from "./filter-definitions";
import { generationColumns } from "./generation-columns";
import { FILTER_STATE, filterQuery, filtersOf, isNarrowed, loadFilterState, VIEW_STATE, type FilterState } from "./generation-list-state";
import { GenerationTable } from "./generation-table";
import { LiveToggle } from "./live-toggle";
import { SavedViewsMenu } from "./saved-views-menu";
import { useColumns } from "./use-columns";
import { useGenerationLog } from "./use-generation-log";

const GenerationSheet = deferredComponent(() => import("./generation-sheet").then((module) => module.GenerationSheet));

const GENERATION_ID = /^gen-\d{1,10}-[0-9A-Za-z]{20}$/;

/** The log: filters, order of columns and the opened generation are in the URL. */
export function GenerationList() {
  const { isAdmin } = useUser();
  const [filterState, setFilters] = useQueryStates(FILTER_STATE, { history: "push" });
  const [{ id, live }, setView] = useQueryStates(VIEW_STATE, { history: "push" });
  const filters = useMemo(() => filtersOf(filterState), [filterState]);
  const definitions = useFilterDefinitions(filterState, isAdmin);
  const { log, rows, waiting, showWaiting, hasLiveFailed } = useGenerationLog(filters, live);
  const query = filterQuery(filterState);
  const columns = useMemo(() => generationColumns((generation) => `/generations?${query && `${query}&`}id=${generation}`), [query]);
  const chooser = useColumns(columns);
  const { fetchNextPage } = log;
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const clear = () => void setFilters({ ...Object.fromEntries(Object.keys(FILTER_STATE).map((key) => [key, null])), workspace: filterState.workspace });
  const search = (q: string | null) => {
    const given = q?.trim() ?? "";
    if (GENERATION_ID.test(given)) void setView({ id: given });
    else void setFilters({ q: given === "" ? null : q });
  };
  const change = (key: string, value: string[] | string | null) => {
    const isList = Array.isArray(filterState[key as keyof FilterState]);
    void setFilters({ [key]: isList && typeof value === "string" ? [value] : value });
  };
  return (
    <>
      <PageHeader title="Generations" description="Every request to a model, newest first." action={<LiveToggle isLive={live} hasFailed={hasLiveFailed} onChange={(next) => void setView({ live: next || null })} />} />
      <FilterBar
        search={{ label: "Search words or a generation id", value: filterState.q, onChange: search }}
        filters={definitions}
        values={filterState}
        onChange={change}
        onClear={clear}
        actions={
          <>
            <SavedViewsMenu query={query} onApply={(saved) => void setFilters(loadFilterState(new URLSearchParams(saved)))} />
            <ExportDialog filters={filters} />
            {isAdmin && <DeleteContents filters={filters} definitions={definitions} values={filterState} />}
          </>
        }
      />
      {waiting > 0 && (
        <div className="sticky top-16 z-30 flex h-0 justify-center">
          <Button
            variant="primary"
            size="sm"
            className="rounded-full shadow-md"
            onClick={() => {
              showWaiting();
              window.scrollTo({ top: 0 });
            }}
          >
            {waiting} new
          </Button>
        </div>
      )}
      <DataState query={log} subject="the generations" skeleton={<DataTableSkeleton columns={columns} rows={12} />}>
        {() =>
          rows.length === 0 ? (
            <NoRows isNarrowed={isNarrowed(filterState)} onClear={clear} />
          ) : (
            <GenerationTable rows={rows} columns={columns} chooser={chooser} onOpen={(generation) => void setView({ id: generation.id })} hasMore={log.hasNextPage} isLoading={log.isFetchingNextPage} onMore={loadMore} />
          )
        }
      </DataState>
      {id !== null && <GenerationSheet id={id} filters={filters} query={query} onMove={(next) => void setView({ id: next }, { history: "replace" })} onClose={() => void setView({ id: null })} />}
    </>
  );
}

function NoRows({ isNarrowed: isFiltered, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState icon={SearchX} title="No generation matches" action={<Button onClick={onClear}>Clear all filters</Button>}>
        Nothing in the log is like that. Widen the time range or take a filter away.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Activity} title="No generations yet">
      As soon as a request is sent through Signalbox, it appears here with its tokens, its cost and what was decided on it.
    </EmptyState>
  );
}
