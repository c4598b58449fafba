import {
  createLoader,
  createSerializer,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
  type inferParserType,
} from "nuqs/server";
import type { Subject } from "@/components/generations/log-link";
import { TIME_RANGE_STATE } from "@/components/time-range/time-range";
import { DIMENSIONS, GROUP_FILTERS, GROUP_SORTS, MEASURES, type Dimension } from "@/lib/features/analytics/vocabulary";
import { RANGES } from "@/lib/records/generations/vocabulary";

/** Dimensions for members, who see only their own keys' requests. */
export const MEMBER_DIMENSIONS: readonly Dimension[] = ["model", "key", "tag", "end_user", "app", "preset"];

export const DIMENSION_LABELS: Readonly<Record<Dimension, string>> = {
  model: "Model",
  provider: "Provider",
  key: "Key",
  tag: "Tag",
  member: "Member",
  end_user: "End user",
  app: "Application",
  guardrail: "Guardrail",
  preset: "Preset",
};

const several = parseAsArrayOf(parseAsString).withDefault([]);

/** Filters of the page, named like the API's and the log's. */
const NARROWED_STATE = {
  model: several,
  key_hash: several,
  user_id: several,
  tag: several,
  provider: several,
  end_user: several,
  app: several,
};
export type Narrowed = inferParserType<typeof NARROWED_STATE>;
const NARROWED = Object.keys(NARROWED_STATE) as (keyof Narrowed)[];
const OF_EVERYBODY: readonly (keyof Narrowed)[] = ["user_id", "provider"];
export const filtersFor = (seesAll: boolean) => NARROWED.filter((name) => seesAll || !OF_EVERYBODY.includes(name));

/** URL state of the page. */
export const ANALYTICS_STATE = {
  ...NARROWED_STATE,
  sort: parseAsString,
  workspace: parseAsString,
  ...TIME_RANGE_STATE,
  range: parseAsStringLiteral(RANGES).withDefault("7d"),
  measure: parseAsStringLiteral(MEASURES).withDefault("spend"),
  by: parseAsStringLiteral(DIMENSIONS).withDefault("model"),
  compare: parseAsBoolean.withDefault(false),
};
export type AnalyticsState = inferParserType<typeof ANALYTICS_STATE>;

/** The page's filters that are set. */
export const narrowedBy = (state: Narrowed): Partial<Narrowed> =>
  Object.fromEntries(NARROWED.flatMap((name) => (state[name].length > 0 ? [[name, state[name]]] : [])));

/** The order of the groups; null for the default or an unknown one. */
export const sortOf = ({ sort, measure }: Pick<AnalyticsState, "sort" | "measure">) =>
  GROUP_SORTS.flatMap((field) => [field, `-${field}` as const]).find(
    (known) => known === sort && known !== `-${measure}`,
  ) ?? null;

/** Dimension of the usage of a single group. */
const NEXT: Partial<Record<Dimension, Dimension>> = {
  model: "key",
  provider: "model",
  key: "model",
  tag: "key",
  member: "key",
  end_user: "model",
  app: "model",
};

const pageLink = createSerializer(ANALYTICS_STATE);

/** Link to the page narrowed to a group; undefined for dimensions without a filter. */
export function narrowedLink(state: AnalyticsState, id: string | null): string | undefined {
  const next = NEXT[state.by];
  if (id === null || next === undefined) return undefined;
  return pageLink("/analytics", { ...state, [GROUP_FILTERS[state.by]]: [id], by: next, sort: null });
}

/** Dimensions of a key's or member's usage. */
export const dimensionsOf = (of: Subject): readonly Dimension[] => [
  ...("key_hash" in of ? [] : (["key", "tag"] as const)),
  ...(["model", "provider", "end_user", "app", "guardrail", "preset"] as const),
];
export const defaultDimension = (of: Subject): Dimension => ("key_hash" in of ? "model" : "key");

/** URL state of the chart on the page of a key or member. */
export const SUBJECT_USAGE_STATE = {
  ...TIME_RANGE_STATE,
  range: parseAsStringLiteral(RANGES).withDefault("30d"),
  measure: parseAsStringLiteral(MEASURES).withDefault("spend"),
  by: parseAsStringLiteral(DIMENSIONS),
};
export type SubjectUsageState = inferParserType<typeof SUBJECT_USAGE_STATE>;

export const loadSubjectUsageState = createLoader(SUBJECT_USAGE_STATE);

export const loadAnalyticsState = createLoader(ANALYTICS_STATE);
