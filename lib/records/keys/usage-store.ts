import "server-only";
import { Prisma, type Key as KeyRow } from "../../../prisma/generated/client";
import { balancesOf } from "../budgets/balances-store";
import { budgetOf, keyRule } from "../../engine/budgets/budget";
import type { Budget } from "../../engine/budgets/budget-rule";
import type { Database } from "../../platform/database/transaction";
import type { PageQuery } from "../../platform/http/pagination";
import { OWN_RAISE, raisedMicroUsd } from "../exceptions/active-store";
import { windowStart, type ResetInterval } from "../../engine/windows";
import { NO_ACTIVITY, type Spend, type KeyActivity } from "./rules";

const DAY_MS = 24 * 60 * 60 * 1000;

interface Sums extends Spend {
  is_byok: boolean;
  last_used_at: Date;
}

/** Sums are missing for a key that was never used. */
type SumRow = { key_id: string; raised: bigint; requests_last_day: number } & (Sums | { [Column in keyof Sums]: null });

/** Returns the current budget of a key's own limit, or null. */
export function ownBudget(row: KeyRow, now: Date): Budget | null {
  const rule = keyRule(row.id, row);
  return rule && budgetOf(rule, now);
}

/** Returns the usage of keys, with the spend that their own limits count. */
export async function usageOf(db: Database, rows: readonly KeyRow[], now: Date): Promise<(row: KeyRow) => KeyActivity> {
  const used = await sumsOf(
    db,
    rows.map(({ id }) => id),
    now,
  );
  const balances = await balancesOf(
    db,
    rows.flatMap((row) => ownBudget(row, now) ?? []),
    now,
  );
  return (row) => {
    const counted = balances.get(ownBudget(row, now)?.id ?? "")?.spentMicroUsd;
    return { ...(used.get(row.id) ?? NO_ACTIVITY), countedMicroUsd: counted ?? NO_ACTIVITY.countedMicroUsd };
  };
}

/** Returns one page of keys, ordered by spend without the organization's provider keys. */
export async function pageBySpend(
  db: Database,
  keyIds: readonly string[],
  direction: "asc" | "desc",
  { offset, limit }: PageQuery,
): Promise<string[]> {
  const order = Prisma.raw(direction);
  const rows = await db.$queryRaw<{ key_id: string }[]>`
    SELECT requested.key_id
    FROM unnest(${keyIds}::uuid[]) AS requested(key_id)
    LEFT JOIN (
      SELECT key_id, sum(cost_micro_usd) AS total FROM key_spend_days
      WHERE key_id = ANY(${keyIds}::uuid[]) AND NOT is_byok
      GROUP BY key_id
    ) AS spend ON spend.key_id = requested.key_id
    ORDER BY coalesce(spend.total, 0) ${order}, requested.key_id ${order}
    OFFSET ${offset} LIMIT ${limit}`;
  return rows.map(({ key_id }) => key_id);
}

/**
 * Sums keys' spend and last use from their daily rows in one raw SQL statement. LATERAL makes each key an index lookup,
 * whatever their number.
 */
async function sumsOf(db: Database, keyIds: readonly string[], now: Date): Promise<ReadonlyMap<string, KeyActivity>> {
  const since = (interval: ResetInterval) =>
    Prisma.sql`coalesce(sum(cost_micro_usd) FILTER (WHERE day >= ${windowStart(interval, now).toISOString()}::date), 0)::bigint`;
  const rows = await db.$queryRaw<SumRow[]>`
    SELECT requested.key_id, ${raisedMicroUsd(Prisma.sql`exceptions.key_id = requested.key_id AND ${OWN_RAISE}`, now)} AS raised,
      last_day.requests_last_day, sums.*
    FROM unnest(${keyIds}::uuid[]) AS requested(key_id)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS requests_last_day FROM generations
      WHERE generations.key_id = requested.key_id AND created_at > ${new Date(now.getTime() - DAY_MS)}
    ) AS last_day
    LEFT JOIN LATERAL (
      SELECT is_byok,
        max(last_used_at) AS last_used_at,
        sum(cost_micro_usd)::bigint AS total,
        ${since("daily")} AS daily,
        ${since("weekly")} AS weekly,
        ${since("monthly")} AS monthly
      FROM key_spend_days
      WHERE key_spend_days.key_id = requested.key_id
      GROUP BY is_byok
    ) AS sums ON true`;
  const used = new Map<string, KeyActivity>();
  for (const { key_id, raised, requests_last_day, ...sums } of rows) {
    const before = used.get(key_id) ?? { ...NO_ACTIVITY, raisedMicroUsd: raised, requestsLastDay: requests_last_day };
    used.set(key_id, before);
    if (sums.is_byok === null) continue;
    const { is_byok, last_used_at, ...spend } = sums;
    used.set(key_id, {
      ...before,
      spend: { ...before.spend, [is_byok ? "byok" : "platform"]: spend },
      lastUsedAt: before.lastUsedAt && before.lastUsedAt > last_used_at ? before.lastUsedAt : last_used_at,
    });
  }
  return used;
}
