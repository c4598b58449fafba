import {
  createLoader,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
  type inferParserType,
} from "nuqs/server";
import {
  endsOf,
  isAbsolute,
  RELATIVE_RANGES,
  TIME_RANGE_STATE,
  type RelativeRange,
} from "@/components/time-range/time-range";
import type { GenerationFilters, ListGenerationsQuery } from "@/lib/records/generations/contract";
import { API_TYPES } from "@/lib/engine/protocols/vocabulary";
import { DECISION_ACTIONS, GENERATION_SORTS, GENERATION_STATUSES } from "@/lib/records/generations/vocabulary";

const several = parseAsArrayOf(parseAsString).withDefault([]);

/** Time range of the log unless another one is in the URL. */
export const DEFAULT_RANGE: RelativeRange = "7d";

const { zone, range, ...ENDS } = TIME_RANGE_STATE;

const SORTS = GENERATION_SORTS.flatMap((field) => [field, `-${field}`] as const);

export type LogSort = NonNullable<ListGenerationsQuery["sort"]>;

export const NEWEST_FIRST = "-created_at" satisfies LogSort;

/** The order of the log that a text names; null for newest first. */
export const parsedSort = (text: string | null): LogSort | null =>
  SORTS.find((sort) => sort === text && sort !== NEWEST_FIRST) ?? null;

/** Log filters and order in the URL, named like the API's parameters so that any page can link to a filtered log. */
export const FILTER_STATE = {
  workspace: parseAsString,
  q: parseAsString,
  status: parseAsArrayOf(parseAsStringLiteral(GENERATION_STATUSES)).withDefault([]),
  model: several,
  provider: several,
  key_hash: several,
  tag: several,
  user_id: several,
  guardrail_id: several,
  rule: several,
  blocked_by: several,
  action: parseAsArrayOf(parseAsStringLiteral(DECISION_ACTIONS)).withDefault([]),
  preset: several,
  protocol: parseAsArrayOf(parseAsStringLiteral(API_TYPES)).withDefault([]),
  session_id: several,
  trace_id: several,
  request_id: parseAsString,
  end_user: several,
  app: several,
  range: range.withDefault(DEFAULT_RANGE),
  ...ENDS,
  min_cost: parseAsString,
  max_cost: parseAsString,
  /** Null for newest first. */
  sort: parseAsStringLiteral<LogSort>(SORTS),
};
export type FilterState = inferParserType<typeof FILTER_STATE>;

/** Other URL state of the list: the open generation, hidden columns, live mode, and the time zone. */
export const VIEW_STATE = {
  id: parseAsString,
  columns: parseAsArrayOf(parseAsString),
  live: parseAsBoolean.withDefault(false),
  zone,
};

export const loadFilterState = createLoader(FILTER_STATE);
export const loadViewState = createLoader(VIEW_STATE);

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** Query string with the range remembered by this browser; null if the URL has a range, or if it is the default. */
export function rememberedRange(params: Params, remembered: string | undefined): string | null {
  const chosen = RELATIVE_RANGES.find((range) => range === remembered) ?? DEFAULT_RANGE;
  if (chosen === DEFAULT_RANGE || ["range", "from", "to"].some((name) => params[name] !== undefined)) return null;
  const given = Object.entries(params).flatMap(([name, values]) => [values ?? []].flat().map((value) => [name, value]));
  return new URLSearchParams([...given, ["range", chosen]]).toString();
}

const isEmpty = (value: unknown) => value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** Filters as API parameters. A relative range ends at `now`, and is open for later generations. */
export function filtersOf(
  { workspace, q, range, from, to, sort: _, ...state }: FilterState,
  now: number,
): GenerationFilters {
  const given = { ...state, ...endsOf({ range, from, to }, now), workspace_id: workspace, q: q?.trim() };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => !isEmpty(value) && value !== undefined));
}

const NOT_NARROWING = new Set(["workspace", "range", "from", "to", "sort"]);

/** True if any filter besides the workspace and the time is set. */
export const isNarrowed = (state: FilterState): boolean =>
  Object.entries(state).some(([name, value]) => !NOT_NARROWING.has(name) && !isEmpty(value));

/** Values of a filter as one parameter. As in nuqs, commas within a value are escaped. */
export const severalText = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll(",", "%2C")).join(",");

/** Filters as a query string, for links and saved views. */
export function filterQuery({ range, ...state }: FilterState): string {
  const search = new URLSearchParams();
  const relative = range === DEFAULT_RANGE || isAbsolute(state) ? null : range;
  for (const [key, value] of Object.entries({ ...state, range: relative }))
    if (!isEmpty(value)) search.set(key, Array.isArray(value) ? severalText(value) : String(value));
  return search.toString();
}
