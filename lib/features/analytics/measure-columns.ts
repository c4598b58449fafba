import { BINS_PER_OCTAVE } from "./latency-bins";

/** Summed measures, with their expressions on the table `generations g`. */
const MEASURE_COLUMNS = {
  requests: "1",
  spend: "g.cost_micro_usd",
  unpriced: "CASE WHEN g.cost_known THEN 0 ELSE 1 END",
  tokens_prompt: "coalesce(g.tokens_prompt, 0)",
  tokens_completion: "coalesce(g.tokens_completion, 0)",
  tokens_cached: "coalesce(g.tokens_cached, 0)",
  timed_tokens: "CASE WHEN g.generation_time_ms > g.latency_ms THEN coalesce(g.tokens_completion, 0) ELSE 0 END",
  timed_ms: "CASE WHEN g.generation_time_ms > g.latency_ms THEN g.generation_time_ms - g.latency_ms ELSE 0 END",
} as const;

export type MeasureName = keyof typeof MEASURE_COLUMNS;
export const MEASURE_NAMES = Object.keys(MEASURE_COLUMNS) as MeasureName[];

/** Further measures of `usage_hours`. */
const BILLING_COLUMNS = {
  byok_spend: "CASE WHEN g.is_byok THEN g.cost_micro_usd ELSE 0 END",
  tokens_reasoning: "coalesce(g.tokens_reasoning, 0)",
} as const;
export type BillingName = keyof typeof BILLING_COLUMNS;
export const BILLING_NAMES = Object.keys(BILLING_COLUMNS) as BillingName[];

const ALL_COLUMNS = { ...MEASURE_COLUMNS, ...BILLING_COLUMNS };

/** `g.cost_micro_usd AS spend, …`, for rows of generations. */
export const measuresOfRows = (names: readonly (MeasureName | BillingName)[]): string =>
  names.map((name) => `${ALL_COLUMNS[name]} AS ${name}`).join(", ");

/** `sum(g.cost_micro_usd) AS spend, …`, for groups of generations. */
export const sumsOfRows = (names: readonly (MeasureName | BillingName)[]): string =>
  names.map((name) => `sum(${ALL_COLUMNS[name]}) AS ${name}`).join(", ");

/** `sum(spend)::bigint AS spend, …`, for rows with these columns. */
export const summed = (names: readonly string[]): string =>
  names.map((name) => `sum(${name})::bigint AS ${name}`).join(", ");

/** SQL for the bin of a latency. */
export const binOf = (column: string): string =>
  `CASE WHEN ${column} > 0 THEN floor(ln(${column}::float8) * ${String(BINS_PER_OCTAVE / Math.LN2)})::smallint ELSE -1::smallint END`;

/** SQL for the latencies of a generation `g` with their bins. */
export const LATENCIES_OF_ROW = `CROSS JOIN LATERAL (
    VALUES ('time_to_first_token'::latency_measure, g.latency_ms, ${binOf("g.latency_ms")}), ('duration', g.generation_time_ms, ${binOf("g.generation_time_ms")})
  ) latency(measure, ms, bin)`;

/** Replaces a missing id in rollup tables, whose keys contain no nulls. */
export const NO_ID = "00000000-0000-0000-0000-000000000000";
