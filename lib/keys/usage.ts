import "server-only";
import type { Key as KeyRow } from "../../prisma/generated/client";
import { balancesOf } from "../budgets/balances";
import { budgetOf, keyRule } from "../budgets/budget-policy";
import type { Budget } from "../budgets/budget-rule";
import type { Database } from "../db";
import { windowStart } from "../windows";
import { NO_SPEND, NOTHING_USED, type KeySpend, type Spend, type Used } from "./policy";

interface SpendRow extends Spend {
  key_id: string;
  is_byok: boolean;
}

/** The running budget of a key's own limit; null when it has none. */
export function ownBudget(row: KeyRow, now: Date): Budget | null {
  const rule = keyRule(row.id, row);
  return rule && budgetOf(rule, now);
}

/** What keys used: their spend, and what of it their own limits count. */
export async function usageOf(db: Database, rows: readonly KeyRow[], now: Date): Promise<(row: KeyRow) => Used> {
  const spend = await spendOf(db, rows.map(({ id }) => id), now);
  const balances = await balancesOf(db, rows.flatMap((row) => ownBudget(row, now) ?? []), now);
  return (row) => {
    const counted = balances.get(ownBudget(row, now)?.id ?? "")?.spentMicroUsd;
    return { spend: spend(row.id), countedMicroUsd: counted ?? NOTHING_USED.countedMicroUsd };
  };
}

/**
 * What keys spent, summed from their generations: one statement for all of them, hence typed SQL.
 * LATERAL makes each key a look-up in the index (key_id, created_at, id), however many keys a page shows.
 */
async function spendOf(db: Database, keyIds: readonly string[], now: Date): Promise<(keyId: string) => KeySpend> {
  const rows = await db.$queryRaw<SpendRow[]>`
    SELECT asked.key_id, spent.*
    FROM unnest(${keyIds}::uuid[]) AS asked(key_id)
    CROSS JOIN LATERAL (
      SELECT is_byok,
        sum(cost_micro_usd)::bigint AS total,
        coalesce(sum(cost_micro_usd) FILTER (WHERE created_at >= ${windowStart("daily", now)}), 0)::bigint AS daily,
        coalesce(sum(cost_micro_usd) FILTER (WHERE created_at >= ${windowStart("weekly", now)}), 0)::bigint AS weekly,
        coalesce(sum(cost_micro_usd) FILTER (WHERE created_at >= ${windowStart("monthly", now)}), 0)::bigint AS monthly
      FROM generations
      WHERE generations.key_id = asked.key_id
      GROUP BY is_byok
    ) AS spent`;
  const spend = new Map<string, KeySpend>();
  for (const { key_id, is_byok, ...sums } of rows) {
    spend.set(key_id, { ...(spend.get(key_id) ?? NO_SPEND), [is_byok ? "byok" : "platform"]: sums });
  }
  return (keyId) => spend.get(keyId) ?? NO_SPEND;
}
