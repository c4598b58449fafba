import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { facts, latencies, type Counted, type Latency, type Sought } from "./facts-store";
import { SUMMED, type MeasureName } from "./measure-columns";
import type { Progress } from "./rollup-store";
import { addUp, subtract, type SumsRow } from "./sums";
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
    // Sums of many keys are made in memory.
    await transaction.$executeRaw`SET LOCAL work_mem = '32MB'`;
    const [progress] = await transaction.$queryRaw<Progress[]>`
      SELECT recorded_in, generation_id FROM rollup_progress
      WHERE organization_id = ${organizationId}::uuid AND recorded_in < pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;
    return work(transaction, progress ?? null);
  });
}

const SUMS = raw(
  `${SUMMED}, ${["succeeded", "failed", "blocked", "cancelled"].map((status) => `coalesce(sum(requests) FILTER (WHERE status = '${status}'), 0)::bigint AS ${status}`).join(", ")}`,
);

export interface BucketRow extends SumsRow {
  /** Null for the previous period. */
  bucket: Date | null;
}

export const bucketsQuery = (of: Counted): Prisma.Sql => sql`
  SELECT bucket, ${SUMS} FROM (${facts(of, { byStatus: true })}) facts GROUP BY bucket ORDER BY bucket`;

export interface GroupRow extends BucketRow {
  /** Null for the groups beyond the top. */
  place: number | null;
  value: string | null;
  groups: number;
}

const RANKED_BY: Record<Measure, { sum: string; needs: Sought }> = {
  spend: { sum: "sum(spend)", needs: { measures: ["requests", "spend"] } },
  tokens: {
    sum: "sum(tokens_prompt + tokens_completion)",
    needs: { measures: ["requests", "tokens_prompt", "tokens_completion"] },
  },
  requests: { sum: "sum(requests)", needs: { measures: ["requests"] } },
  errors: { sum: "sum(requests) FILTER (WHERE status = 'failed')", needs: { measures: ["requests"], byStatus: true } },
  blocked: {
    sum: "sum(requests) FILTER (WHERE status = 'blocked')",
    needs: { measures: ["requests"], byStatus: true },
  },
};

/**
 * Sums of the groups with the most of a measure, and of all others, by bucket. First finds those groups, without buckets; `whole` has the sums of all
 * by bucket.
 */
export async function readGroups(
  db: Database,
  of: Counted,
  whole: readonly BucketRow[],
  { group_by, measure, top }: { group_by: Group; measure: Measure; top: number },
): Promise<GroupRow[]> {
  const unsplit = { ...of, previousFrom: null, bucketSeconds: null };
  const { sum, needs } = RANKED_BY[measure];
  const value = raw(`by_${group_by}`);
  const ranked = await db.$queryRaw<{ value: string; groups: number }[]>`
    SELECT ${value} AS value, (count(*) OVER ())::int AS groups FROM (${facts(unsplit, { by: [group_by], ...needs })}) facts
    GROUP BY ${value} ORDER BY coalesce(${raw(sum)}, 0) DESC, sum(requests) DESC, ${value} LIMIT ${top}`;
  const values = ranked.map((row) => row.value);
  const sumsOf = (isIn: boolean) => facts(of, { by: [group_by], byStatus: true, only: { values, isIn } });
  const tops = await db.$queryRaw<(BucketRow & { value: string })[]>`
    SELECT ${value} AS value, bucket, ${SUMS} FROM (${sumsOf(true)}) facts GROUP BY 1, bucket ORDER BY bucket`;
  // A request with several guardrails or tags is in each of them, so that their sums are more than the whole.
  const others =
    group_by === "guardrail" || group_by === "tag"
      ? await db.$queryRaw<
          BucketRow[]
        >`SELECT bucket, ${SUMS} FROM (${sumsOf(false)}) facts GROUP BY bucket ORDER BY bucket`
      : whole
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

/** Bins of the median and of high percentiles: of both periods and each bucket, or of each group. */
export const latencyQuery = (
  of: Counted,
  group: Group | null,
  measures: readonly Latency[] = ["time_to_first_token", "duration"],
): Prisma.Sql => {
  const by = raw(group === null ? "bucket" : "value");
  const shown = group === null ? sql`bucket, NULL::text AS value` : sql`NULL::timestamptz AS bucket, value`;
  const one = sql`is_current, measure, ${by}`;
  const percentile = (share: number) => sql`min(bin) FILTER (WHERE below >= ${share} * total)`;
  // The previous period has no buckets, and its rows for each bucket repeat those for the whole.
  return sql`
    WITH counted AS (
      SELECT bucket IS NOT NULL AS is_current, bucket, value, measure, bin, sum(count) AS count FROM (${latencies(of, group, measures)}) latencies
      GROUP BY 1, 2, 3, 4, 5
    ), bins AS (
      SELECT is_current, measure, ${shown}, bin, sum(count) AS count FROM counted
      GROUP BY GROUPING SETS ((is_current, ${by}, measure, bin)${group === null ? sql`, (is_current, measure, bin)` : Prisma.empty})
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
