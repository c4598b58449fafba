"use client";
import type { UseQueryResult } from "@tanstack/react-query";
import type { RowData } from "@tanstack/react-table";
import { SearchX } from "lucide-react";
import { useQueryStates, type UseQueryStatesOptions } from "nuqs";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { DataTable, DataTableSkeleton, type DataTableProps } from "@/components/ui/data-table";
import { hiddenAtFirst } from "@/components/ui/data-table-model";
import { EmptyState } from "@/components/ui/empty-state";
import { DataState, isForbidden } from "./data-state";
import { FilterBar } from "./filter-bar";
import { isSet, type FilterDefinition, type FilterValue } from "./filter-definition";
import type { LIST_STATE, ListState } from "./list-state";
import { Pager } from "./pager";

/** URL state of a list and its setter. */
interface UrlList {
  state: ListState & Readonly<Record<string, unknown>>;
  setState: (change: Readonly<Record<string, unknown>>) => void;
}

/** Keeps a list's search, filters, order, page and hidden columns in the URL. */
export function useListState<Parsers extends typeof LIST_STATE>(
  parsers: Parsers,
  options?: Partial<UseQueryStatesOptions<Parsers>>,
) {
  const [state, setState] = useQueryStates(parsers, options);
  const list: UrlList = {
    state: state as UrlList["state"],
    setState: (change) => void setState(change as Parameters<typeof setState>[0]),
  };
  return { state, setState, list };
}

interface Page<Row> {
  data: readonly Row[];
  total_count?: number;
}

interface ResourceListProps<Row, Rows extends Page<Row>> extends Pick<
  DataTableProps<Row>,
  "label" | "columns" | "rowKey" | "selection" | "onOpen"
> {
  /** Plural of the noun, as in "Loading keys" and "Search keys". */
  subject: string;
  query: UseQueryResult<Rows>;
  /** State from `useListState`, for a list with search, filters, order and pages. */
  list?: UrlList;
  /** Describes the searched fields; omit to hide the search. */
  searchCovers?: string;
  /** Filters. Each key names a value in the list's state. */
  filters?: readonly FilterDefinition[];
  /** Picker of the time range in the list's state. */
  timeRange?: ReactNode;
  /** Buttons beside the filters. */
  actions?: ReactNode;
  /** Called when the search or a filter changes. */
  onNarrow?: () => void;
  /** Shown if there are no rows and no filters. */
  empty?: ReactNode;
  skeletonRows?: number;
  /** Page buttons of a list without an offset. */
  pages?: (page: Rows) => ReactNode;
  /** Shown below the rows, such as actions on the selected ones. */
  children?: ReactNode;
}

const RANGE_KEYS = ["range", "from", "to"];

/** A list of records: search, filters, table and pages, and its loading, empty and error states. */
export function ResourceList<Row extends RowData, Rows extends Page<Row>>({
  subject,
  query,
  list,
  searchCovers,
  filters = [],
  timeRange,
  actions,
  onNarrow,
  empty,
  skeletonRows,
  pages,
  children,
  ...table
}: ResourceListProps<Row, Rows>) {
  const { columns } = table;
  const values = list?.state as Readonly<Record<string, FilterValue>> | undefined;
  const narrowing = ["q", ...filters.map(({ key }) => key), ...(timeRange ? RANGE_KEYS : [])];
  const isNarrowed = values !== undefined && narrowing.some((key) => isSet(values[key] ?? null));
  const narrow = (change: Readonly<Record<string, FilterValue>>) => {
    onNarrow?.();
    list?.setState({ ...change, offset: null });
  };
  const clear = () => narrow(Object.fromEntries(narrowing.map((key) => [key, null])));
  const isEmpty = (page: Rows) => (page.total_count ?? page.data.length) === 0;
  const hasBar = (searchCovers !== undefined || filters.length > 0) && !isForbidden(query);
  const showsEmpty = query.data !== undefined && isEmpty(query.data) && !isNarrowed && empty !== undefined;
  const hasChooser = columns.some(({ isHiddenAtFirst }) => isHiddenAtFirst);
  const chooser =
    list && hasChooser
      ? { hidden: list.state.hide ?? hiddenAtFirst(columns), onChange: (hide: string[]) => list.setState({ hide }) }
      : undefined;
  return (
    <>
      {list && values && hasBar && !showsEmpty && (
        <FilterBar
          {...(searchCovers !== undefined && {
            search: { label: `Search ${subject}`, value: list.state.q, onChange: (q) => narrow({ q }) },
          })}
          lead={timeRange}
          filters={filters}
          values={values}
          onChange={(key, value) => narrow({ [key]: value })}
          onClear={clear}
          actions={actions}
        />
      )}
      <DataState
        query={query}
        subject={subject}
        skeleton={<DataTableSkeleton columns={columns} {...(skeletonRows && { rows: skeletonRows })} />}
      >
        {(page) =>
          showsEmpty ? (
            empty
          ) : (
            <>
              {isEmpty(page) && isNarrowed ? (
                <NoResults onClear={clear}>{searchCovers ?? "Try removing a filter."}</NoResults>
              ) : (
                <DataTable
                  {...table}
                  rows={page.data}
                  sort={list && { value: list.state.sort, onChange: (sort) => list.setState({ sort, offset: null }) }}
                  chooser={chooser}
                />
              )}
              {pages
                ? !isEmpty(page) && pages(page)
                : list && <Pager total={page.total_count ?? page.data.length} shown={page.data.length} />}
              {children}
            </>
          )
        }
      </DataState>
    </>
  );
}

/** Empty state of a list with filters. The text says what the search covers. */
const NoResults = ({ onClear, children }: { onClear: () => void; children: ReactNode }) => (
  <EmptyState icon={SearchX} title="No results" action={<Button onClick={onClear}>Clear all filters</Button>}>
    {children}
  </EmptyState>
);
