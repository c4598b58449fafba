import "server-only";
import { reachOf, type Context } from "../../platform/context";
import type { Input, Result } from "../../platform/http/operation";
import type { Database } from "../../platform/database/transaction";
import { sortOrder } from "../../platform/http/pagination";
import { scopeOf } from "../../records/generations/service";
import { bucketsOf } from "./buckets";
import { isSampledEach } from "./facts-store";
import { namesOf } from "./group-names-store";
import { valueOfBin } from "./latency-bins";
import { latenciesOfPeriod, sumsOfPeriod, type Period } from "./periods";
import { endsOf } from "./range";
import { addUp, toSums } from "./sums";
import type { getUsage, Percentiles, Usage } from "./usage-contract";
import { hasDimensions, type Counted } from "./tables";
import {
  bucketsQuery,
  consistently,
  groupRows,
  latencyQuery,
  readSampledLatencies,
  topGroups,
  type BucketRow,
  type LatencyRow,
  type Order,
} from "./usage-store";
import { LATENCY_SORTS, PERCENTILES, type Group, type GroupSort, type Measure } from "./vocabulary";

/**
 * Sums the generations that the log lists with the same filters. Queries run one after another, because inference needs
 * the other connections.
 */
export async function usage(context: Context, { query }: Input<typeof getUsage>): Promise<Result<typeof getUsage>> {
  const { group_by, measure, sort, top, range, from, to, ...filters } = query;
  const ends = endsOf({ range, from, to }, context.now);
  const buckets = bucketsOf(ends.from, ends.to);
  return consistently(context.db, context.caller.organizationId, async (db, progress) => {
    const scope = scopeOf(context.caller, reachOf(context.caller, "analytics:read"));
    const previousFrom = new Date(2 * ends.from.getTime() - ends.to.getTime());
    const of: Counted = { ...ends, scope, filters, previousFrom, bucketSeconds: buckets.seconds, progress };
    const rows = await db.$queryRaw<BucketRow[]>(bucketsQuery(of));
    const latencies = await db.$queryRaw<LatencyRow[]>(latencyQuery(of, null));
    const order = sortOrder<GroupSort>(sort ?? `-${measure}`);
    const grouping = group_by === undefined ? null : { group_by, measure, order, top };
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

interface Grouping {
  group_by: Group;
  measure: Measure;
  order: Order;
  top: number;
}

async function groupsOf(
  { db, caller }: Context,
  of: Counted,
  grouping: Grouping,
): Promise<Pick<Usage, "groups" | "other">> {
  const { group_by, order } = grouping;
  const timed = isLatency(order.field) ? await candidateLatencies(db, of, grouping) : null;
  const bins = timed && new Map(timed.flatMap((row) => binOf(row, order.field)));
  const { top, count } = await topGroups(db, of, { ...grouping, ...(bins && { bins }) });
  const rows = await groupRows(db, of, group_by, top);
  const latencies = timed ?? (await latenciesOf(db, of, group_by, top));
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

/** Groups with the most requests whose latencies are compared, if each has a sample of its own. */
const CANDIDATES = 100;

/** Latencies of the groups to sort by them. */
async function candidateLatencies(db: Database, of: Counted, grouping: Grouping): Promise<LatencyRow[]> {
  const { group_by } = grouping;
  if (!isSampledEach(group_by)) return latenciesOf(db, of, group_by, []);
  const order: Order = { field: "requests", direction: "desc" };
  const { top } = await topGroups(db, of, { ...grouping, order, top: CANDIDATES });
  return latenciesOf(db, of, group_by, top);
}

/** Latencies of all groups, or of the keys or members in `values`; none for groups whose latencies aren't counted. */
async function latenciesOf(db: Database, of: Counted, group: Group, values: readonly string[]): Promise<LatencyRow[]> {
  const current = { ...of, previousFrom: null, bucketSeconds: null };
  if (hasDimensions("latency_days", of, [group])) return db.$queryRaw<LatencyRow[]>(latencyQuery(current, group));
  return isSampledEach(group) || LATENCY_GROUPS.includes(group)
    ? readSampledLatencies(db, current, group, values.filter(Boolean))
    : [];
}

/** Groups of the sums of latencies. With other filters than theirs, a sample is counted. */
const LATENCY_GROUPS: readonly Group[] = ["model", "provider", "workspace", "status"];

const isLatency = (field: GroupSort): boolean => (LATENCY_SORTS as readonly GroupSort[]).includes(field);

/** The bin of a group in an order by latency; none for the other measure. */
function binOf(row: LatencyRow, field: GroupSort): [string, number][] {
  const percentile = PERCENTILES.find((name) => field === `${row.measure}_${name}`);
  return percentile && row.value !== null ? [[row.value, row[percentile]]] : [];
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
