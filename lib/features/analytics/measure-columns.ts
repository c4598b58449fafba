import { BINS_PER_OCTAVE } from "./latency-bins";

/** Measures that are added up, with their expressions on the table `generations g`. */
const MEASURE_COLUMNS = {
  requests: "1",
  spend: "g.cost_micro_usd",
  tokens_prompt: "coalesce(g.tokens_prompt, 0)",
  tokens_completion: "coalesce(g.tokens_completion, 0)",
  tokens_cached: "coalesce(g.tokens_cached, 0)",
  timed_tokens: "CASE WHEN g.generation_time_ms > g.latency_ms THEN coalesce(g.tokens_completion, 0) ELSE 0 END",
  timed_ms: "CASE WHEN g.generation_time_ms > g.latency_ms THEN g.generation_time_ms - g.latency_ms ELSE 0 END",
  unpriced: "CASE WHEN g.cost_known THEN 0 ELSE 1 END",
} as const;

export type MeasureName = keyof typeof MEASURE_COLUMNS;
export const MEASURE_NAMES = Object.keys(MEASURE_COLUMNS) as MeasureName[];

/** Further measures, which only the rollups by model and provider have. */
const BILLING_COLUMNS = {
  byok_spend: "CASE WHEN g.is_byok THEN g.cost_micro_usd ELSE 0 END",
  tokens_reasoning: "coalesce(g.tokens_reasoning, 0)",
} as const;
export type BillingName = keyof typeof BILLING_COLUMNS;
export const BILLING_NAMES = Object.keys(BILLING_COLUMNS) as BillingName[];

/** A further measure of the rollups by guardrail: requests that the guardrail of the row blocked. */
export const BLOCKS = "blocks";

const ALL_COLUMNS = { ...MEASURE_COLUMNS, ...BILLING_COLUMNS };

/** `g.cost_micro_usd AS spend, …`, for rows of generations. */
export const measuresOfRows = (names: readonly (MeasureName | BillingName)[]): string =>
  names.map((name) => `${ALL_COLUMNS[name]} AS ${name}`).join(", ");

/** `sum(spend)::bigint AS spend, …`, for rows with these columns. */
export const summed = (names: readonly string[]): string =>
  names.map((name) => `sum(${name})::bigint AS ${name}`).join(", ");

/** SQL for the bin of a latency. */
export const binOf = (column: string): string =>
  `CASE WHEN ${column} > 0 THEN floor(ln(${column}::float8) * ${String(BINS_PER_OCTAVE / Math.LN2)})::smallint ELSE -1::smallint END`;

/** Stands for a missing id in rollups, whose keys have no nulls. */
export const NO_ID = "00000000-0000-0000-0000-000000000000";

/** Stands in rollups for all guardrails: sums in which a request counts once for each guardrail that made a decision. */
export const EACH_GUARDRAIL = "ffffffff-ffff-ffff-ffff-ffffffffffff";
