import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { invalid } from "../../platform/api-error";
import { isTimedOut } from "../../platform/database/store-failure";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { GenerationStatus } from "../../records/generations/vocabulary";
import type { SpendSums } from "../../records/generations/range-spend";
import { facts, latencies, sampledLatencies, type Latency } from "./facts-store";
import { MEASURE_NAMES, summed } from "./measure-columns";
import type { SumsRow } from "./sums";
import type { Counted, Progress } from "./tables";
import type { Group, GroupSort, Measure } from "./vocabulary";

const { sql, join, raw } = Prisma;

/** Time limit of a query. */
const LIMIT_MS = 10_000;

/**
 * Runs queries that see the same generations, and rollups of exactly the generations up to `progress`, although both
 * change in the meantime. Without progress, the rollups are incomplete. Queries that take too long are the caller's to
 * narrow: 400 for the parameter `path`.
 */
export async function consistently<T>(
  db: Database,
  organizationId: string,
  work: (transaction: Database, progress: Progress | null) => Promise<T>,
  { path = "from", limitMs = LIMIT_MS }: { path?: string; limitMs?: number } = {},
): Promise<T> {
  try {
    return await inTransaction(db, async (transaction) => {
      await transaction.$executeRaw`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`;
      // Groups of many keys are summed in memory instead of being sorted on disk.
      await transaction.$executeRaw`SELECT set_config('work_mem', '64MB', true), set_config('statement_timeout', ${String(limitMs)}, true)`;
      const [progress] = await transaction.$queryRaw<Progress[]>`
        SELECT recorded_in, generation_id FROM rollup_positions
        WHERE organization_id = ${organizationId}::uuid AND recorded_in < pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;
      return work(transaction, progress ?? null);
    });
  } catch (error) {
    if (!isTimedOut(error)) throw error;
    throw invalid([
      {
        path: [path],
        message: `too many generations to count within ${limitMs / 1000} s: narrow the time range or add a filter`,
        code: "range_too_wide",
      },
    ]);
  }
}

const ofStatus = (status: GenerationStatus) => `sum(requests) FILTER (WHERE status = '${status}')`;

/** SQL for blocked requests. For groups by guardrail, counts the requests that the guardrail blocked. */
const blockedOf = (isPerGuardrail: boolean) => (isPerGuardrail ? "sum(blocks)" : ofStatus("blocked"));

const sumsOf = (isPerGuardrail: boolean): Prisma.Sql => {
  const counts = Object.entries({
    succeeded: ofStatus("succeeded"),
    failed: ofStatus("failed"),
    blocked: blockedOf(isPerGuardrail),
    cancelled: ofStatus("cancelled"),
  });
  return raw([summed(MEASURE_NAMES), ...counts.map(([name, sum]) => `coalesce(${sum}, 0)::bigint AS ${name}`)].join());
};

export interface BucketRow extends SumsRow {
  /** Null for the previous period. */
  bucket: Date | null;
}

/** Query for sums by bucket of all requests, or of the requests with a decision of the guardrail. */
export const bucketsQuery = (of: Counted, guardrailId?: string): Prisma.Sql =>
  guardrailId === undefined
    ? sql`SELECT bucket, ${sumsOf(false)} FROM (${facts(of)}) facts GROUP BY bucket ORDER BY bucket`
    : sql`SELECT bucket, ${sumsOf(true)} FROM (${facts(of, ["guardrail"])}) facts WHERE by_guardrail = ${guardrailId} GROUP BY bucket ORDER BY bucket`;

export interface GroupRow extends BucketRow {
  /** Index of the group among the top groups; null for the sum of the others. */
  place: number | null;
}

export interface Order {
  field: GroupSort;
  direction: "asc" | "desc";
}

interface Grouping {
  group_by: Group;
  measure: Measure;
  order: Order;
  top: number;
  /** What groups by latency are sorted by; others come last. */
  bins?: ReadonlyMap<string, number>;
}

/** SQL for facts with the `value` of a group. A request is in each group of its tags. */
const groupFacts = (of: Counted, group: Group): Prisma.Sql => {
  const grouped = sql`SELECT ${raw(`by_${group}`)} AS value, facts.* FROM (${facts(of, [group])}) facts`;
  if (group !== "tag") return grouped;
  const measures = raw(MEASURE_NAMES.join(", "));
  return sql`
    SELECT coalesce(tag, '') AS value, bucket, status, ${measures}
    FROM (SELECT value AS tags, bucket, status, ${raw(summed(MEASURE_NAMES))} FROM (${grouped}) tagged GROUP BY 1, 2, 3) sets LEFT JOIN LATERAL unnest(tags) AS tag ON true`;
};

/** SQL for a measure: the summed expression, and which rows count. */
const ranksOf = (isPerGuardrail: boolean): Record<Measure, readonly [sum: string, of?: string]> => ({
  spend: ["spend"],
  tokens: ["tokens_prompt + tokens_completion"],
  requests: ["requests"],
  errors: ["requests", "status = 'failed'"],
  blocked: isPerGuardrail ? ["blocks"] : ["requests", "status = 'blocked'"],
});

/** SQL for the value by which groups are ordered; null without one. The previous period counts only for a change. */
function rankOf({ group_by, measure, order: { field } }: Grouping): string {
  const ranks = ranksOf(group_by === "guardrail");
  const added = (name: Measure, period = "bucket IS NOT NULL") => {
    const [sum, of = "true"] = ranks[name];
    return `coalesce(sum(${sum}) FILTER (WHERE ${of} AND ${period}), 0)`;
  };
  if (field === "change")
    return `nullif(${added(measure)}, 0)::float8 / nullif(${added(measure, "bucket IS NULL")}, 0)`;
  if (field === "tokens_per_second") return "sum(timed_tokens)::float8 / nullif(sum(timed_ms), 0)";
  return field in ranks ? added(field as Measure) : "min(timed.bin)";
}

/** Returns the values of the first groups of an order, and the number of all groups of the current period. */
export async function topGroups(
  db: Database,
  of: Counted,
  grouping: Grouping,
): Promise<{ top: string[]; count: number }> {
  const { group_by, top, order, bins = new Map<string, number>() } = grouping;
  const ranked = { ...of, bucketSeconds: null, previousFrom: order.field === "change" ? of.previousFrom : null };
  const rows = await db.$queryRaw<{ value: string; groups: number }[]>`
    SELECT facts.value, (count(*) OVER ())::int AS groups FROM (${groupFacts(ranked, group_by)}) facts
    LEFT JOIN unnest(${[...bins.keys()]}::text[], ${[...bins.values()]}::int[]) timed(value, bin) ON timed.value = facts.value
    GROUP BY facts.value HAVING count(bucket) > 0
    ORDER BY ${raw(`${rankOf(grouping)} ${order.direction}`)} NULLS LAST, sum(requests) DESC, facts.value LIMIT ${top}`;
  return { top: rows.map(({ value }) => value), count: rows[0]?.groups ?? 0 };
}

/** Returns the sums of some groups, and of all others, by bucket. */
export const groupRows = (db: Database, of: Counted, group: Group, values: readonly string[]): Promise<GroupRow[]> =>
  db.$queryRaw<GroupRow[]>`
    SELECT array_position(${values}::text[], value) - 1 AS place, bucket, ${sumsOf(group === "guardrail")} FROM (${groupFacts(of, group)}) facts
    GROUP BY 1, 2 ORDER BY 1, 2`;

export interface RangeSpendRow extends SpendSums {
  id: string;
}

/** Query for the spend of each key or member. */
export const rangeSpendQuery = (of: Counted, group: "key" | "member"): Prisma.Sql => sql`
  SELECT ${raw(`by_${group}`)} AS id, ${raw(summed(["spend", "requests", "unpriced"]))}
  FROM (${facts(of, [group], ["spend", "requests", "unpriced"])}) facts GROUP BY 1`;

export interface SpendRow {
  group: Group;
  /** Null for the groups beyond the top. */
  place: number | null;
  value: string | null;
  groups: number;
  requests: bigint;
  spend: bigint;
}

/** Query for spend by each of two groups: the top groups, and the sum of all others. */
export const spendQuery = (of: Counted, pair: readonly [Group, Group], top: number): Prisma.Sql => {
  const [first, second] = pair.map((group) => raw(`by_${group}`));
  return sql`
    WITH pairs AS (
      SELECT ${first}, ${second}, sum(requests) AS requests, sum(spend) AS spend FROM (${facts(of, pair, ["requests", "spend"])}) facts GROUP BY 1, 2
    ), added AS (
      SELECT CASE grouping(${first}) WHEN 0 THEN ${pair[0]} ELSE ${pair[1]} END AS "group",
        CASE grouping(${first}) WHEN 0 THEN ${first} ELSE ${second} END AS value, sum(requests) AS requests, sum(spend) AS spend
      FROM pairs GROUP BY GROUPING SETS ((${first}), (${second}))
    ), ranked AS (
      SELECT added.*, row_number() OVER (PARTITION BY "group" ORDER BY spend DESC, requests DESC, value)::int AS place FROM added
    ), shown AS (
      SELECT "group", CASE WHEN place <= ${top} THEN place END AS place, CASE WHEN place <= ${top} THEN value END AS value, requests, spend FROM ranked
    )
    SELECT "group", place, value, count(*)::int AS groups, sum(requests)::bigint AS requests, sum(spend)::bigint AS spend
    FROM shown GROUP BY 1, 2, 3 ORDER BY 1, 2`;
};

export interface LatencyRow {
  measure: Latency;
  is_current: boolean;
  /** Null for the whole period. */
  bucket: Date | null;
  value: string | null;
  p50: number;
  p95: number;
  p99: number;
}

const LATENCIES: readonly Latency[] = ["time_to_first_token", "duration"];

/**
 * Returns the percentiles of groups' latest requests. The planner expects few generations of each key, and would sort all of a busy one
 * instead of reading the latest from the index.
 */
export async function readSampledLatencies(
  db: Database,
  of: Counted,
  group: Group,
  values: readonly string[],
): Promise<LatencyRow[]> {
  await db.$executeRaw`SELECT set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`;
  const rows = await db.$queryRaw<LatencyRow[]>(
    latencyQuery(of, group, LATENCIES, sampledLatencies(of, group, LATENCIES, values)),
  );
  await db.$executeRaw`SELECT set_config('enable_sort', 'on', true), set_config('enable_bitmapscan', 'on', true)`;
  return rows;
}

/**
 * Query for the bins of the median and of high percentiles: of both periods and each bucket, or of a group's values.
 */
export const latencyQuery = (
  of: Counted,
  group: Group | null,
  measures: readonly Latency[] = LATENCIES,
  rows: Prisma.Sql = latencies(of, group, measures),
): Prisma.Sql => {
  const placed =
    group === null
      ? sql`
      SELECT bucket IS NOT NULL AS is_current, bucket, NULL::text AS value, measure, bin, count FROM bins
      UNION ALL SELECT true, NULL, NULL, measure, bin, sum(count) FROM bins WHERE bucket IS NOT NULL GROUP BY measure, bin`
      : sql`SELECT true AS is_current, NULL::timestamptz AS bucket, value, measure, bin, count FROM bins`;
  const one = sql`is_current, bucket, value, measure`;
  const percentile = (percent: number) => sql`min(bin) FILTER (WHERE 100 * below >= ${percent}::int * total)`;
  // Sums of whole numbers are exact as float8, which the database adds many times faster than numeric.
  return sql`
    WITH bins AS MATERIALIZED (
      SELECT bucket, value, measure, bin, sum(count)::float8 AS count FROM (${rows}) latencies
      GROUP BY 1, 2, 3, 4
    ), added AS (
      SELECT *, sum(count) OVER (PARTITION BY ${one} ORDER BY bin) AS below, sum(count) OVER (PARTITION BY ${one}) AS total FROM (${placed}) placed
    )
    SELECT is_current, measure::text, bucket, value, ${join([
      sql`${percentile(50)} AS p50`,
      sql`${percentile(95)} AS p95`,
      sql`${percentile(99)} AS p99`,
    ])}
    FROM added GROUP BY ${one}`;
};
