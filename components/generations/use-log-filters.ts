import { useQueryClient } from "@tanstack/react-query";
import { useQueryState, useQueryStates } from "nuqs";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { isAbsolute, type TimeRange } from "@/components/time-range/time-range";
import { LOG_RANGE_COOKIE, rememberPreference } from "@/lib/browser/preferences";
import {
  FILTER_STATE,
  filterQuery,
  filtersOf,
  loadFilterState,
  VIEW_STATE,
  type FilterState,
  type LogSort,
} from "./generation-list-state";
import { requestQuery } from "./generation-queries";
import { idIn } from "./ids-in-text";

/**
 * The log's filters in the URL and their setters. The ID of a generation or a request in the search field,
 * also within an error, opens the generation. Relative ranges end at
 * `openedAt`, the time at which the server rendered the page, until a filter of time changes.
 */
export function useLogFilters(open: (id: string) => void, openedAt: number) {
  const [state, setFilters] = useQueryStates(FILTER_STATE, { history: "push" });
  const client = useQueryClient();
  const [zone, setZone] = useQueryState("zone", VIEW_STATE.zone);
  // Controls update immediately; the rows follow when they have loaded.
  const applied = useDeferredValue(state);
  const [now, setNow] = useState(openedAt);
  const filters = useMemo(() => filtersOf(applied, now), [applied, now]);
  const query = useMemo(() => filterQuery(applied), [applied]);
  const clear = () =>
    void setFilters({
      ...Object.fromEntries(Object.keys(FILTER_STATE).map((key) => [key, null])),
      workspace: state.workspace,
      range: state.range,
      from: state.from,
      to: state.to,
      sort: state.sort,
    });
  const changeSort = useCallback((sort: LogSort | null) => void setFilters({ sort }), [setFilters]);
  const search = (q: string | null) => {
    const given = q?.trim() ?? "";
    const found = idIn(given);
    if (found === null) void setFilters({ q: given === "" ? null : q });
    else if ("generation" in found) open(found.generation);
    else void openRequest(found.request);
  };
  const openRequest = async (request: string) => {
    const answer = await client.query({ ...requestQuery(request), retry: false }).catch(() => null);
    const [only, ...others] = answer?.data ?? [];
    if (only && others.length === 0) open(only.id);
    // Shows several generations, the error, or that there are none.
    else void setFilters({ q: null, request_id: request });
  };
  const change = (key: string, value: string[] | string | null) => {
    const isList = Array.isArray(state[key as keyof FilterState]);
    void setFilters({ [key]: isList && typeof value === "string" ? [value] : value });
  };
  const range = { range: state.range, from: state.from, to: state.to, zone };
  const changeRange = ({ zone: nextZone, ...ends }: Partial<TimeRange>) => {
    setNow(Date.now());
    if (nextZone !== undefined) void setZone(nextZone);
    if (ends.range) rememberPreference(LOG_RANGE_COOKIE, ends.range);
    void setFilters(ends);
  };
  /** Replaces the filters with a query string. */
  const apply = (saved: string) => {
    setNow(Date.now());
    const next = loadFilterState(new URLSearchParams(saved));
    if (!isAbsolute(next)) rememberPreference(LOG_RANGE_COOKIE, next.range);
    void setFilters(next);
  };
  return { state, applied, filters, query, range, search, change, changeRange, changeSort, clear, apply };
}
