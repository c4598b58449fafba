import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { facts, latencies, type Counted } from "./facts-store";
import { SUMMED } from "./measure-columns";
import type { Progress } from "./rollup-store";
import type { SumsRow } from "./sums";
import type { Group, Measure } from "./vocabulary";

const { sql, join, raw } = Prisma;

/**
 * Runs queries that see the same generations, and rollups with exactly those up to `progress`, although both change meanwhile.
 */
export function consistently<T>(
  db: Database,
  organizationId: string,
  work: (transaction: Database, progress: Progress) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (transaction) => {
    await transaction.$executeRaw`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`;
    // Sums of many keys are made in memory.
    await transaction.$executeRaw`SET LOCAL work_mem = '32MB'`;
    const [progress] = await transaction.$queryRaw<Progress[]>`
      SELECT recorded_in, generation_id FROM rollup_progress WHERE organization_id = ${organizationId}::uuid`;
    return work(transaction, progress ?? { recorded_in: 0n, generation_id: "" });
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
  errors: "sum(requests) FILTER (WHERE status = 'failed')",
  blocked: "sum(requests) FILTER (WHERE status = 'blocked')",
};

/** Sums of the groups with the most of a measure, and of all others, by bucket. First finds those groups, so that others have no buckets. */
export async function readGroups(
  db: Database,
  of: Counted,
  group: Group,
  measure: Measure,
  top: number,
): Promise<GroupRow[]> {
  const whole = { ...of, previousFrom: null, bucketSeconds: null };
  const ranked = await db.$queryRaw<{ value: string; groups: number }[]>`
    SELECT value, (count(*) OVER ())::int AS groups FROM (${facts(whole, group)}) facts
    GROUP BY value ORDER BY coalesce(${raw(RANKED_BY[measure])}, 0) DESC, sum(requests) DESC, value LIMIT ${top}`;
  const values = ranked.map(({ value }) => value);
  const rows = await db.$queryRaw<Omit<GroupRow, "place" | "groups">[]>`
    SELECT value, bucket, ${SUMS} FROM (${facts(of, group, values)}) facts GROUP BY value, bucket ORDER BY bucket`;
  const placeOf = new Map(values.map((value, index) => [value, index + 1]));
  return rows
    .map((row) => ({
      ...row,
      place: row.value === null ? null : (placeOf.get(row.value) ?? null),
      groups: ranked[0]?.groups ?? 0,
    }))
    .toSorted((a, b) => (a.place ?? Infinity) - (b.place ?? Infinity));
}

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

/** Bins of the median and of high percentiles: of both periods and each bucket, or of each group. */
export const latencyQuery = (of: Counted, group: Group | null): Prisma.Sql => {
  const by = raw(group === null ? "bucket" : "value");
  const shown = group === null ? sql`bucket, NULL::text AS value` : sql`NULL::timestamptz AS bucket, value`;
  const one = sql`is_current, measure, ${by}`;
  const percentile = (share: number) => sql`min(bin) FILTER (WHERE below >= ${share} * total)`;
  // The previous period has no buckets, and its rows for each bucket repeat those for the whole.
  return sql`
    WITH counted AS (
      SELECT bucket IS NOT NULL AS is_current, bucket, value, measure, bin, sum(count) AS count FROM (${latencies(of, group)}) latencies
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
