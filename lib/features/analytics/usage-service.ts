import "server-only";
import type { Context } from "../../platform/context";
import type { Input, Result } from "../../platform/http/operation";
import { scopeOf } from "../../records/generations/service";
import { bucketsOf } from "./buckets";
import { namesOf } from "./group-names-store";
import { valueOfBin } from "./latency-bins";
import { latenciesOfPeriod, sumsOfPeriod, type Period } from "./periods";
import { endsOf } from "./range";
import { addUp, toSums } from "./sums";
import type { getUsage, Percentiles, Usage, UsageQuery } from "./usage-contract";
import { hasDimensions, type Counted } from "./tables";
import { bucketsQuery, consistently, latencyQuery, readGroups, type BucketRow, type LatencyRow } from "./usage-store";

/**
 * Sums the generations that the log lists with the same filters. Queries run one after another, because inference needs
 * the other connections.
 */
export async function usage(context: Context, { query }: Input<typeof getUsage>): Promise<Result<typeof getUsage>> {
  const { group_by, measure, top, range, from, to, ...filters } = query;
  const ends = endsOf({ range, from, to }, context.now);
  const buckets = bucketsOf(ends.from, ends.to);
  return consistently(context.db, context.caller.organizationId, async (db, progress) => {
    const scope = scopeOf(context);
    const previousFrom = new Date(2 * ends.from.getTime() - ends.to.getTime());
    const of: Counted = { ...ends, scope, filters, previousFrom, bucketSeconds: buckets.seconds, progress };
    const rows = await db.$queryRaw<BucketRow[]>(bucketsQuery(of));
    const latencies = await db.$queryRaw<LatencyRow[]>(latencyQuery(of, null));
    const grouping = group_by === undefined ? null : { group_by, measure, top };
    return {
      data: {
        from: of.from.toISOString(),
        to: of.to.toISOString(),
        bucket_seconds: buckets.seconds,
        totals: wholeOf(rows, latencies, "current"),
        previous: wholeOf(rows, latencies, "previous"),
        series: seriesOf(rows, latencies, buckets.starts),
        ...(grouping ? await groupsOf({ ...context, db }, of, grouping) : { groups: [], other: null }),
      },
    };
  });
}

const wholeOf = (rows: readonly BucketRow[], latencies: readonly LatencyRow[], period: Period) => ({
  ...sumsOfPeriod(rows, period),
  ...percentilesOf(latenciesOfPeriod(latencies, period)),
});

function seriesOf(
  rows: readonly BucketRow[],
  latencies: readonly LatencyRow[],
  starts: readonly Date[],
): Usage["series"] {
  const inBucket = new Map(rows.map((row) => [row.bucket?.getTime(), row]));
  const latenciesIn = grouped(latencies, ({ bucket }) => bucket?.getTime());
  return starts.map((start) => ({
    at: start.toISOString(),
    ...toSums(inBucket.get(start.getTime()) ?? addUp([])),
    ...percentilesOf(latenciesIn.get(start.getTime()) ?? []),
  }));
}

async function groupsOf(
  { db, caller }: Context,
  of: Counted,
  grouping: Required<Pick<UsageQuery, "group_by" | "measure" | "top">>,
): Promise<Pick<Usage, "groups" | "other">> {
  const { group_by } = grouping;
  const { top, count, rows } = await readGroups(db, of, grouping);
  const current = { ...of, previousFrom: null, bucketSeconds: null };
  const latencies = hasDimensions("latency_days", of, [group_by])
    ? await db.$queryRaw<LatencyRow[]>(latencyQuery(current, group_by))
    : [];
  const names = await namesOf(db, caller.organizationId, group_by, top.filter(Boolean));
  const places = grouped(rows, ({ place }) => place);
  const others = places.get(null) ?? [];
  return {
    groups: top.map((value, place) => {
      const { totals, ...amounts } = amountsOf(places.get(place) ?? []);
      const own = latencies.filter((row) => row.value === value);
      return { ...names(value), totals: { ...totals, ...percentilesOf(own) }, ...amounts };
    }),
    other: others.some(({ bucket }) => bucket !== null) ? { count: count - top.length, ...amountsOf(others) } : null,
  };
}

function amountsOf(rows: readonly BucketRow[]) {
  const current = rows.filter(({ bucket }) => bucket !== null);
  return {
    totals: sumsOfPeriod(rows, "current"),
    previous: sumsOfPeriod(rows, "previous"),
    series: current.flatMap((row) => (row.bucket ? { at: row.bucket.toISOString(), ...toSums(row) } : [])),
  };
}

function percentilesOf(rows: readonly LatencyRow[]): Record<LatencyRow["measure"], Percentiles> {
  const of = (measure: LatencyRow["measure"]): Percentiles => {
    const row = rows.find((each) => each.measure === measure);
    return row ? { p50: valueOfBin(row.p50), p95: valueOfBin(row.p95), p99: valueOfBin(row.p99) } : null;
  };
  return { time_to_first_token: of("time_to_first_token"), duration: of("duration") };
}

function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
