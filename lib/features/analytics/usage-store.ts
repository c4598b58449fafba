import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { GenerationStatus } from "../../records/generations/vocabulary";
import { facts, latencies, type Latency, type Sought } from "./facts-store";
import { tableOf, type Counted } from "./tables-policy";
import { BLOCKS, MEASURE_NAMES, summed, type MeasureName } from "./measure-columns";
import type { Progress } from "./rollup-store";
import { addUp, subtract, SUM_NAMES, type SumsRow } from "./sums";
import type { Group, Measure } from "./vocabulary";

const { sql, join, raw } = Prisma;

/**
 * Runs queries that see the same generations, and rollups with exactly those up to `progress`, although both change meanwhile. Without progress,
 * the rollups are incomplete.
 */
export function consistently<T>(
  db: Database,
  organizationId: string,
  work: (transaction: Database, progress: Progress | null) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (transaction) => {
    await transaction.$executeRaw`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`;
    // Sums of many keys are made in memory. The planner expects as many as there are rows, and would sort them on disk.
    await transaction.$executeRaw`SET LOCAL work_mem = '64MB'`;
    const [progress] = await transaction.$queryRaw<Progress[]>`
      SELECT recorded_in, generation_id FROM rollup_progress
      WHERE organization_id = ${organizationId}::uuid AND recorded_in < pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;
    return work(transaction, progress ?? null);
  });
}

const ofStatus = (status: GenerationStatus) => `sum(requests) FILTER (WHERE status = '${status}')`;

/** Requests that are blocked; those that the guardrail blocked, if each guardrail is counted. */
const blockedOf = (isPerGuardrail: boolean) => (isPerGuardrail ? `sum(${BLOCKS})` : ofStatus("blocked"));

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

/** Sums by bucket: of all requests, or of those in which a guardrail made a decision. */
export const bucketsQuery = (of: Counted, guardrailId?: string): Prisma.Sql =>
  byBucket(of, guardrailId === undefined ? {} : { isPerGuardrail: true, by: ["guardrail"], only: [guardrailId] });

const byBucket = (of: Counted, sought: Pick<Sought, "isPerGuardrail" | "by" | "only">): Prisma.Sql => sql`
  SELECT bucket, ${sumsOf(sought.isPerGuardrail ?? false)} FROM (${facts(of, { byStatus: true, ...sought })}) facts GROUP BY bucket ORDER BY bucket`;

export interface GroupRow extends BucketRow {
  /** Null for the groups beyond the top. */
  place: number | null;
  value: string | null;
  groups: number;
}

/** Measures by which groups are ranked: of facts, with the columns that they need, and of their sums. */
const RANKED_BY: Record<Measure, { sum: string; needs: Sought; ofSums: string }> = {
  spend: { sum: "sum(spend)", needs: { measures: ["requests", "spend"] }, ofSums: "spend" },
  tokens: {
    sum: "sum(tokens_prompt + tokens_completion)",
    needs: { measures: ["requests", "tokens_prompt", "tokens_completion"] },
    ofSums: "tokens_prompt + tokens_completion",
  },
  requests: { sum: "sum(requests)", needs: { measures: ["requests"] }, ofSums: "requests" },
  errors: {
    sum: ofStatus("failed"),
    needs: { measures: ["requests"], byStatus: true },
    ofSums: "failed",
  },
  blocked: {
    sum: ofStatus("blocked"),
    needs: { measures: ["requests"], byStatus: true },
    ofSums: "blocked",
  },
};

interface Grouping {
  group_by: Group;
  measure: Measure;
  top: number;
}

/**
 * Sums of the groups with the most of a measure, and of all others, by bucket; `whole` has the sums of all by bucket. Sums from generations, which take
 * longest, and by tag, of which a request may have several, are made once.
 */
export const readGroups = (
  db: Database,
  of: Counted,
  whole: readonly BucketRow[],
  grouping: Grouping,
): Promise<GroupRow[]> =>
  grouping.group_by === "tag" || tableOf(of, [grouping.group_by]) === undefined
    ? db.$queryRaw<GroupRow[]>(groupsQuery(of, grouping))
    : readTopGroups(db, of, whole, grouping);

const groupsQuery = (of: Counted, { group_by, measure, top }: Grouping): Prisma.Sql => {
  const value = raw(`by_${group_by}`);
  const all = raw(SUM_NAMES.join(", "));
  const added = raw(summed(SUM_NAMES));
  const ofValues = sql`SELECT ${value} AS value, bucket, ${sumsOf(group_by === "guardrail")} FROM (${facts(of, { by: [group_by], byStatus: true })}) facts GROUP BY 1, 2 HAVING sum(requests) <> 0`;
  const ofTags = sql`
      SELECT coalesce(tag, '') AS value, bucket, ${added} FROM (${ofValues}) sets LEFT JOIN LATERAL unnest(value) AS tag ON true GROUP BY 1, 2`;
  return sql`
    WITH summed AS MATERIALIZED (${group_by === "tag" ? ofTags : ofValues}), ranked AS (
      SELECT value, (row_number() OVER (ORDER BY sum(${raw(RANKED_BY[measure].ofSums)}) DESC, sum(requests) DESC, value))::int AS place, (count(*) OVER ())::int AS groups
      FROM summed WHERE bucket IS NOT NULL GROUP BY value
    ), shown AS (
      SELECT CASE WHEN place <= ${top} THEN place END AS place, CASE WHEN place <= ${top} THEN value END AS value, bucket, ${all}
      FROM summed LEFT JOIN ranked USING (value)
    )
    SELECT place, value, bucket, coalesce((SELECT max(groups) FROM ranked), 0) AS groups, ${added} FROM shown GROUP BY 1, 2, 3 ORDER BY 1, 3`;
};

/** First finds those groups, without buckets. */
async function readTopGroups(
  db: Database,
  of: Counted,
  whole: readonly BucketRow[],
  { group_by, measure, top }: Grouping,
): Promise<GroupRow[]> {
  const unsplit = { ...of, previousFrom: null, bucketSeconds: null };
  const isPerGuardrail = group_by === "guardrail";
  const { needs } = RANKED_BY[measure];
  const sum = measure === "blocked" ? blockedOf(isPerGuardrail) : RANKED_BY[measure].sum;
  const value = raw(`by_${group_by}`);
  const ranked = await db.$queryRaw<{ value: string; groups: number }[]>`
    SELECT ${value} AS value, (count(*) OVER ())::int AS groups FROM (${facts(unsplit, { by: [group_by], ...needs })}) facts
    GROUP BY ${value} HAVING sum(requests) <> 0 ORDER BY coalesce(${raw(sum)}, 0) DESC, sum(requests) DESC, ${value} LIMIT ${top}`;
  const values = ranked.map((row) => row.value);
  const tops = await db.$queryRaw<(BucketRow & { value: string })[]>`
    SELECT ${value} AS value, bucket, ${sumsOf(isPerGuardrail)} FROM (${facts(of, { by: [group_by], byStatus: true, only: values })}) facts
    GROUP BY 1, bucket HAVING sum(requests) <> 0 ORDER BY bucket`;
  // A request with several guardrails is in each of them, so that their sums are more than the whole.
  const all = isPerGuardrail ? await db.$queryRaw<BucketRow[]>(byBucket(of, { isPerGuardrail })) : whole;
  const others = all
    .map((row) => ({ ...subtract(row, addUp(tops.filter(isOfBucket(row)))), bucket: row.bucket }))
    .filter(({ requests }) => requests > 0n);
  const groups = ranked[0]?.groups ?? 0;
  const placed = tops.map((row) => ({ ...row, place: values.indexOf(row.value) + 1, groups }));
  return [
    ...placed.toSorted((a, b) => a.place - b.place),
    ...others.map((row) => ({ ...row, value: null, place: null, groups })),
  ];
}

const isOfBucket =
  ({ bucket }: BucketRow) =>
  (row: BucketRow): boolean =>
    row.bucket?.getTime() === bucket?.getTime();

export interface SpendRow {
  group: Group;
  /** Null for the groups beyond the top. */
  place: number | null;
  value: string | null;
  groups: number;
  requests: bigint;
  spend: bigint;
}

/** Spend by each of two groups that rollups have together: those with the most, and the sum of all others. */
export const spendQuery = (of: Counted, pair: readonly [Group, Group], top: number): Prisma.Sql => {
  const measures: MeasureName[] = ["requests", "spend"];
  const [first, second] = pair.map((group) => raw(`by_${group}`));
  return sql`
    WITH pairs AS (
      SELECT ${first}, ${second}, sum(requests) AS requests, sum(spend) AS spend FROM (${facts(of, { by: pair, measures })}) facts GROUP BY 1, 2
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

/** Bins of the median and of high percentiles: of both periods and each bucket, or of some values of a group. */
export const latencyQuery = (
  of: Counted,
  group: { by: Group; only: readonly string[] } | null,
  measures: readonly Latency[] = ["time_to_first_token", "duration"],
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
      SELECT bucket, value, measure, bin, sum(count)::float8 AS count FROM (${latencies(of, group?.by ?? null, measures, group?.only)}) latencies
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
