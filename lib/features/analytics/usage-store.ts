import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { GenerationFilters } from "../../records/generations/contract";
import { allConditions, type Scope } from "../../records/generations/page-store";
import { BUCKET_ORIGIN } from "./buckets-policy";
import { BINS_PER_OCTAVE } from "./latency-bins";
import { SUM_COLUMNS, type SumsRow } from "./sums";
import type { Group, Measure } from "./vocabulary";

const { sql, empty, join, raw } = Prisma;

/** Generations that are added up. */
export interface Counted {
  scope: Scope;
  filters: GenerationFilters;
  from: Date;
  to: Date;
  /** Generations since the start of the previous period, of the same length, are compared. */
  previousFrom: Date;
  bucketSeconds: number;
}

/** Expressions of a generation's measures; `raw` because they are constants that every query repeats. */
const MEASURE_OF: Record<(typeof SUM_COLUMNS)[number], string> = {
  requests: "1",
  succeeded: "(g.status = 'succeeded')::int",
  failed: "(g.status = 'failed')::int",
  blocked: "(g.status = 'blocked')::int",
  cancelled: "(g.status = 'cancelled')::int",
  spend: "g.cost_micro_usd",
  tokens_prompt: "coalesce(g.tokens_prompt, 0)",
  tokens_completion: "coalesce(g.tokens_completion, 0)",
  tokens_cached: "coalesce(g.tokens_cached, 0)",
  timed_tokens: "CASE WHEN g.generation_time_ms > g.latency_ms THEN coalesce(g.tokens_completion, 0) ELSE 0 END",
  timed_ms: "CASE WHEN g.generation_time_ms > g.latency_ms THEN g.generation_time_ms - g.latency_ms ELSE 0 END",
};
const MEASURES = raw(SUM_COLUMNS.map((name) => `${MEASURE_OF[name]} AS ${name}`).join(", "));
const SUMS = raw(SUM_COLUMNS.map((name) => `sum(${name})::bigint AS ${name}`).join(", "));

/** Column of each dimension; '' for requests without a value. */
const VALUE_OF: Record<Group, string> = {
  model: "g.model",
  provider: "coalesce(g.provider_slug, '')",
  key: "coalesce(g.key_id::text, '')",
  member: "coalesce(g.user_id, '')",
  guardrail: "decided.guardrail_id::text",
  preset: "coalesce(presets.slug, '')",
  workspace: "g.workspace_id::text",
  status: "g.status::text",
  protocol: "g.api_type::text",
};

const valueOf = (group: Group | null) => (group === null ? sql`''::text` : raw(VALUE_OF[group]));

/** Joins what a dimension needs. A request counts once for each guardrail that made a decision. */
function joined(group: Group | null): Prisma.Sql {
  if (group === "preset") return sql`LEFT JOIN presets ON presets.id = g.preset_id`;
  if (group === "guardrail")
    return sql`JOIN LATERAL (
      SELECT DISTINCT d.guardrail_id FROM decisions d
      WHERE d.created_at = g.created_at AND d.generation_id = g.id AND d.guardrail_id IS NOT NULL
    ) decided ON true`;
  return empty;
}

const counted = ({ scope, filters, previousFrom, to }: Counted) =>
  allConditions(scope, { ...filters, from: previousFrom.toISOString(), to: to.toISOString() });

/** Start of a time's bucket; null in the previous period. */
const bucketOf = ({ from, bucketSeconds }: Counted) => sql`
  CASE WHEN g.created_at >= ${from} THEN date_bin(${bucketSeconds}::int * interval '1 second', g.created_at, ${BUCKET_ORIGIN}::timestamptz) END`;

const facts = (of: Counted, group: Group | null) => sql`
  SELECT ${bucketOf(of)} AS bucket, ${valueOf(group)} AS value, ${MEASURES}
  FROM generations g ${joined(group)} WHERE ${counted(of)}`;

export interface BucketRow extends SumsRow {
  /** Null for the previous period. */
  bucket: Date | null;
}

export const bucketsQuery = (of: Counted): Prisma.Sql => sql`
  SELECT bucket, ${SUMS} FROM (${facts(of, null)}) facts GROUP BY bucket ORDER BY bucket`;

export interface GroupRow extends BucketRow {
  /** Null for the groups beyond the top. */
  place: number | null;
  value: string | null;
  groups: number;
}

const RANKED_BY: Record<Measure, string> = {
  spend: "sum(spend)",
  tokens: "sum(tokens_prompt + tokens_completion)",
  requests: "sum(requests)",
  errors: "sum(failed)",
  blocked: "sum(blocked)",
};

/** Sums of the top groups and of all others by bucket. */
export const groupsQuery = (of: Counted, group: Group, measure: Measure, top: number): Prisma.Sql => sql`
  WITH cells AS (
    SELECT bucket, value, ${SUMS} FROM (${facts(of, group)}) facts GROUP BY bucket, value
  ), ranked AS (
    SELECT value, row_number() OVER (ORDER BY ${raw(RANKED_BY[measure])} DESC, sum(requests) DESC, value) AS place
    FROM cells WHERE bucket IS NOT NULL GROUP BY value
  ), shown AS (SELECT * FROM ranked WHERE place <= ${top})
  SELECT shown.place::int, shown.value, bucket, (SELECT count(*)::int FROM ranked) AS groups, ${SUMS}
  FROM cells LEFT JOIN shown USING (value)
  GROUP BY shown.place, shown.value, bucket ORDER BY shown.place, bucket`;

export interface LatencyRow {
  measure: "time_to_first_token" | "duration";
  is_current: boolean;
  /** Null for the whole period. */
  bucket: Date | null;
  value: string | null;
  p50: number;
  p95: number;
  p99: number;
}

const binOf = (column: string) =>
  raw(
    `CASE WHEN ${column} > 0 THEN floor(ln(${column}::float8) * ${String(BINS_PER_OCTAVE / Math.LN2)})::int ELSE -1 END`,
  );

const latencies = (of: Counted, group: Group | null, values: readonly string[]) => sql`
  SELECT ${bucketOf(of)} AS bucket, ${valueOf(group)} AS value, latency.measure, latency.bin, 1 AS count
  FROM generations g ${joined(group)}
    CROSS JOIN LATERAL (VALUES
      ('time_to_first_token', g.latency_ms, ${binOf("g.latency_ms")}), ('duration', g.generation_time_ms, ${binOf("g.generation_time_ms")})
    ) AS latency(measure, ms, bin)
  WHERE ${counted(of)} AND latency.ms IS NOT NULL
    ${group === null ? empty : sql`AND ${valueOf(group)} = ANY(${values}::text[])`}`;

/** Bins of the median and of high percentiles: of both periods and each bucket, or of the groups with these values. */
export const latencyQuery = (of: Counted, group: Group | null, values: readonly string[]): Prisma.Sql => {
  const sets =
    group === null
      ? sql`(is_current, bucket, measure, bin), (is_current, measure, bin)`
      : sql`(is_current, value, measure, bin)`;
  const shown = group === null ? sql`bucket, NULL::text AS value` : sql`NULL::timestamptz AS bucket, value`;
  const one = sql`is_current, measure, ${raw(group === null ? "bucket" : "value")}`;
  const percentile = (share: number) => sql`min(bin) FILTER (WHERE below >= ${share} * total)`;
  return sql`
    WITH bins AS (
      SELECT is_current, measure, ${shown}, bin, sum(count) AS count
      FROM (SELECT bucket IS NOT NULL AS is_current, * FROM (${latencies(of, group, values)}) latencies) latencies
      GROUP BY GROUPING SETS (${sets})
    ), added AS (
      SELECT *, sum(count) OVER (PARTITION BY ${one} ORDER BY bin) AS below, sum(count) OVER (PARTITION BY ${one}) AS total FROM bins
    )
    SELECT is_current, measure, bucket, value, ${join([
      sql`${percentile(0.5)} AS p50`,
      sql`${percentile(0.95)} AS p95`,
      sql`${percentile(0.99)} AS p99`,
    ])}
    FROM added GROUP BY is_current, measure, bucket, value`;
};
