import "server-only";
import { fromMicroUsd } from "../../engine/money";
import { reachOf, type Context } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { scopeOf } from "../../records/generations/service";
import { resolveWorkspaceId } from "../../records/workspaces/store";
import { bucketsOf, type Buckets } from "./buckets";
import type { Breakdown, getOverview, Overview, Totals } from "./contract";
import type { Counted } from "./tables";
import { namesOf } from "./group-names-store";
import { valueOfBin } from "./latency-bins";
import { latenciesOfPeriod, sumsOfPeriod, type Period } from "./periods";
import { endsOf } from "./range";
import { rulesOf, type RuleRow } from "./store";
import { addUp, toSums } from "./sums";
import {
  bucketsQuery,
  consistently,
  latencyQuery,
  spendQuery,
  type BucketRow,
  type LatencyRow,
  type SpendRow,
} from "./usage-store";
import type { BREAKDOWNS } from "./vocabulary";

const TOP_SPENDERS = 8;

/** Runs its queries one after another, because inference needs the other connections. */
export async function overview(
  context: Context,
  { query }: Input<typeof getOverview>,
): Promise<Result<typeof getOverview>> {
  const { organizationId } = context.caller;
  const ends = endsOf(query, context.now);
  const workspaceId =
    query.workspace_id === undefined ? undefined : await resolveWorkspaceId(context, query.workspace_id);
  const buckets = bucketsOf(ends.from, ends.to);
  return consistently(context.db, organizationId, async (db, progress) => {
    const scope = scopeOf(context.caller, reachOf(context.caller, "analytics:read"));
    const previousFrom = new Date(2 * ends.from.getTime() - ends.to.getTime());
    const whole: Counted = {
      ...ends,
      scope,
      filters: { workspace_id: workspaceId },
      previousFrom: null,
      bucketSeconds: null,
      progress,
    };
    const compared = { ...whole, previousFrom };
    const rows = await db.$queryRaw<BucketRow[]>(bucketsQuery({ ...compared, bucketSeconds: buckets.seconds }));
    const latencies = await db.$queryRaw<LatencyRow[]>(latencyQuery(compared, null, ["time_to_first_token"]));
    const spend = [
      ...(await db.$queryRaw<SpendRow[]>(spendQuery(whole, ["model", "provider"], TOP_SPENDERS))),
      ...(await db.$queryRaw<SpendRow[]>(spendQuery(whole, ["key", "member"], TOP_SPENDERS))),
    ];
    const spendBy = (dimension: (typeof BREAKDOWNS)[number]) => breakdown(db, organizationId, spend, dimension);
    return {
      data: {
        from: ends.from.toISOString(),
        to: ends.to.toISOString(),
        bucket_seconds: buckets.seconds,
        totals: toTotals(rows, latencies, "current"),
        previous: toTotals(rows, latencies, "previous"),
        outcomes: toOutcomes(rows, buckets),
        spend: {
          model: await spendBy("model"),
          key: await spendBy("key"),
          member: await spendBy("member"),
          provider: await spendBy("provider"),
        },
        rules: await db.$queryRaw<RuleRow[]>(rulesOf(whole)),
      },
    };
  });
}

function toTotals(rows: readonly BucketRow[], latencies: readonly LatencyRow[], period: Period): Totals {
  const { requests, succeeded, failed, blocked, cancelled, spend_usd, unpriced_requests } = sumsOfPeriod(rows, period);
  const latency = latenciesOfPeriod(latencies, period).find(({ measure }) => measure === "time_to_first_token");
  return {
    requests,
    succeeded,
    failed,
    blocked,
    cancelled,
    spend_usd,
    unpriced_requests,
    p95_latency_ms: latency ? valueOfBin(latency.p95) : null,
  };
}

function toOutcomes(rows: readonly BucketRow[], { starts }: Buckets): Overview["outcomes"] {
  const found = new Map(rows.map((row) => [row.bucket?.getTime(), row]));
  return starts.map((start) => {
    const { succeeded, failed, blocked, cancelled } = toSums(found.get(start.getTime()) ?? addUp([]));
    return { at: start.toISOString(), succeeded, failed, blocked, cancelled };
  });
}

async function breakdown(
  db: Database,
  organizationId: string,
  spend: readonly SpendRow[],
  dimension: (typeof BREAKDOWNS)[number],
): Promise<Breakdown> {
  const rows = spend.filter(({ group }) => group === dimension);
  const shown = rows.filter(({ place }) => place !== null);
  const values = shown.flatMap(({ value }) => value || []);
  const names = await namesOf(db, organizationId, dimension, values);
  const amounts = (row: SpendRow) => ({ spend_usd: fromMicroUsd(row.spend), requests: Number(row.requests) });
  const other = rows.find(({ place }) => place === null);
  return {
    top: shown.map((row) => ({ ...names(row.value ?? ""), ...amounts(row) })),
    other: other ? { count: other.groups, ...amounts(other) } : null,
  };
}
