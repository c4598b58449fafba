import "server-only";
import { Prisma, type Key as KeyRow } from "../../prisma/generated/client";
import { balancesOf } from "../budgets/balances";
import { budgetOf, keyRule } from "../budgets/budget-policy";
import type { Budget } from "../budgets/budget-rule";
import type { Database } from "../db";
import { OWN_RAISE, raisedMicroUsd } from "../exceptions/active";
import { windowStart } from "../windows";
import { NOTHING_USED, type Spend, type Used } from "./policy";

const DAY_MS = 24 * 60 * 60 * 1000;

interface Sums extends Spend {
  is_byok: boolean;
  last_used_at: Date;
  requests_last_day: number;
}

/** Without sums for a key that was never used. */
type SumRow = { key_id: string; raised: bigint } & (Sums | { [Column in keyof Sums]: null });

/** The running budget of a key's own limit; null when it has none. */
export function ownBudget(row: KeyRow, now: Date): Budget | null {
  const rule = keyRule(row.id, row);
  return rule && budgetOf(rule, now);
}

/** What keys used: their generations, and what of them their own limits count. */
export async function usageOf(db: Database, rows: readonly KeyRow[], now: Date): Promise<(row: KeyRow) => Used> {
  const used = await sumsOf(db, rows.map(({ id }) => id), now);
  const balances = await balancesOf(db, rows.flatMap((row) => ownBudget(row, now) ?? []), now);
  return (row) => {
    const counted = balances.get(ownBudget(row, now)?.id ?? "")?.spentMicroUsd;
    return { ...(used.get(row.id) ?? NOTHING_USED), countedMicroUsd: counted ?? NOTHING_USED.countedMicroUsd };
  };
}

/**
 * What keys spent and when, summed from their generations: one statement for all of them, hence typed SQL.
 * LATERAL makes each key a look-up in the index (key_id, created_at, id), however many keys a page shows.
 */
async function sumsOf(db: Database, keyIds: readonly string[], now: Date): Promise<ReadonlyMap<string, Used>> {
  const rows = await db.$queryRaw<SumRow[]>`
    SELECT asked.key_id, ${raisedMicroUsd(Prisma.sql`exceptions.key_id = asked.key_id AND ${OWN_RAISE}`, now)} AS raised, sums.*
    FROM unnest(${keyIds}::uuid[]) AS asked(key_id)
    LEFT JOIN LATERAL (
      SELECT is_byok,
        max(created_at) AS last_used_at,
        count(*) FILTER (WHERE created_at > ${new Date(now.getTime() - DAY_MS)})::int AS requests_last_day,
        sum(cost_micro_usd)::bigint AS total,
        coalesce(sum(cost_micro_usd) FILTER (WHERE created_at >= ${windowStart("daily", now)}), 0)::bigint AS daily,
        coalesce(sum(cost_micro_usd) FILTER (WHERE created_at >= ${windowStart("weekly", now)}), 0)::bigint AS weekly,
        coalesce(sum(cost_micro_usd) FILTER (WHERE created_at >= ${windowStart("monthly", now)}), 0)::bigint AS monthly
      FROM generations
      WHERE generations.key_id = asked.key_id
      GROUP BY is_byok
    ) AS sums ON true`;
  const used = new Map<string, Used>();
  for (const { key_id, raised, ...sums } of rows) {
    const before = used.get(key_id) ?? { ...NOTHING_USED, raisedMicroUsd: raised };
    used.set(key_id, before);
    if (sums.is_byok === null) continue;
    const { is_byok, last_used_at, requests_last_day, ...spend } = sums;
    used.set(key_id, {
      ...before,
      spend: { ...before.spend, [is_byok ? "byok" : "platform"]: spend },
      lastUsedAt: before.lastUsedAt && before.lastUsedAt > last_used_at ? before.lastUsedAt : last_used_at,
      requestsLastDay: before.requestsLastDay + requests_last_day,
    });
  }
  return used;
}
