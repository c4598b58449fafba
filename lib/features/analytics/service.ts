import "server-only";
import { isOrdinaryMember, type Context } from "../../platform/context";
import type { Input, Result } from "../../platform/http/operation";
import { fromMicroUsd } from "../../engine/money";
import { resolveWorkspaceId } from "../../records/workspaces/store";
import { bucketsOf, type Buckets } from "./buckets-policy";
import type { Breakdown, getOverview, Overview, Totals } from "./contract";
import { endsOf } from "./range-policy";
import {
  DIMENSION_OF,
  outcomesOf,
  rulesOf,
  spendOf,
  totalsOf,
  type Counted,
  type OutcomeRow,
  type RuleRow,
  type SpendRow,
  type TotalsRow,
} from "./store";

const NOTHING = { requests: 0, succeeded: 0, failed: 0, blocked: 0, cancelled: 0 };

/** Runs four queries over the requested generations, one after the other: inference needs the other connections. */
export async function overview(
  context: Context,
  { query }: Input<typeof getOverview>,
): Promise<Result<typeof getOverview>> {
  const { caller, db, now } = context;
  const of: Counted = {
    ...endsOf(query, now),
    organizationId: caller.organizationId,
    workspaceId: query.workspace_id === undefined ? null : await resolveWorkspaceId(context, query.workspace_id),
    userId: isOrdinaryMember(caller) ? caller.userId : null,
  };
  const buckets = bucketsOf(of.from, of.to);
  const totals = await db.$queryRaw<TotalsRow[]>(totalsOf(of));
  return {
    data: {
      from: of.from.toISOString(),
      to: of.to.toISOString(),
      bucket_seconds: buckets.seconds,
      totals: toTotals(totals.find(({ is_current }) => is_current)),
      previous: toTotals(totals.find(({ is_current }) => !is_current)),
      outcomes: toOutcomes(await db.$queryRaw<OutcomeRow[]>(outcomesOf(of, buckets.seconds)), buckets),
      spend: toSpend(await db.$queryRaw<SpendRow[]>(spendOf(of))),
      rules: await db.$queryRaw<RuleRow[]>(rulesOf(of)),
    },
  };
}

function toTotals(row: TotalsRow | undefined): Totals {
  const { requests, succeeded, failed, blocked, cancelled } = row ?? NOTHING;
  return {
    requests,
    succeeded,
    failed,
    blocked,
    cancelled,
    spend_usd: fromMicroUsd(row?.spend ?? 0n),
    p95_latency_ms: row?.p95 ?? null,
  };
}

function toOutcomes(rows: readonly OutcomeRow[], { starts }: Buckets): Overview["outcomes"] {
  const found = new Map(rows.map(({ at, status, requests }) => [`${at.toISOString()} ${status}`, requests]));
  return starts.map((start) => {
    const at = start.toISOString();
    const of = (status: OutcomeRow["status"]) => found.get(`${at} ${status}`) ?? 0;
    return { at, succeeded: of("succeeded"), failed: of("failed"), blocked: of("blocked"), cancelled: of("cancelled") };
  });
}

function toSpend(rows: readonly SpendRow[]): Overview["spend"] {
  const of = (dimension: (typeof DIMENSION_OF)[SpendRow["dimension"]]): Breakdown => {
    const shown = rows.filter((row) => DIMENSION_OF[row.dimension] === dimension);
    const amounts = ({ spend, requests }: SpendRow) => ({ spend_usd: fromMicroUsd(spend), requests });
    const other = shown.find(({ place }) => place === null);
    return {
      top: shown.filter(({ place }) => place !== null).map((row) => ({ id: row.id, name: row.name, ...amounts(row) })),
      other: other ? { count: other.spenders, ...amounts(other) } : null,
    };
  };
  return { model: of("model"), key: of("key"), member: of("member"), provider: of("provider") };
}
