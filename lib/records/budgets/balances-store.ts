import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import type { Balances } from "../../engine/budgets/admission-policy";
import type { Budget } from "../../engine/budgets/budget-rule";

/** Budgets as rows of a statement. */
function wanted(budgets: readonly Budget[]): Prisma.Sql {
  const rows = budgets.map(({ id, rule, windowStart }) => ({
    id,
    source_id: rule.sourceId,
    subject: rule.subject,
    subject_id: rule.subjectId,
    window: rule.interval ?? "lifetime",
    window_start: windowStart,
    includes_byok: rule.includesByok,
  }));
  return Prisma.sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    AS wanted(id uuid, source_id uuid, subject budget_subject, subject_id text, "window" budget_window, window_start timestamptz, includes_byok boolean)`;
}

/** For a `wanted` that has no row yet: a key's own limit counts what the key spent before anybody reserved under it; a guardrail's begins with nothing. */
export const SPENT_BEFORE = Prisma.sql`
  CASE WHEN wanted.subject_id = wanted.source_id::text THEN (
    SELECT coalesce(sum(cost_micro_usd), 0)::bigint FROM generations
    WHERE key_id = wanted.source_id AND created_at >= wanted.window_start AND (wanted.includes_byok OR NOT is_byok)
  ) ELSE 0 END`;

/** Makes the rows that aren't there, in a transaction of their own: who waits here for another's row holds no lock. */
export async function makeBudgets(db: Database, budgets: readonly Budget[], now: Date): Promise<void> {
  await db.$executeRaw`
    INSERT INTO budgets (id, source_id, subject, subject_id, "window", window_start, spent_micro_usd, updated_at)
    SELECT id, source_id, subject, subject_id, "window", window_start, ${SPENT_BEFORE}, ${now} FROM ${wanted(budgets)} ORDER BY id
    ON CONFLICT (id) DO NOTHING`;
}

/** Locks budgets until the end of the transaction, by ascending id as everywhere; returns how many of them exist. */
export async function lockBudgets(db: Database, ids: readonly string[]): Promise<number> {
  const rows = await db.$queryRaw<
    unknown[]
  >`SELECT 1 AS locked FROM budgets WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  return rows.length;
}

/** Spend and unexpired reservations, in one statement: a page of keys asks for many. */
export async function balancesOf(db: Database, budgets: readonly Budget[], now: Date): Promise<Balances> {
  if (budgets.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; spent: bigint; reserved: bigint }[]>`
    SELECT wanted.id::text, coalesce(budgets.spent_micro_usd, ${SPENT_BEFORE}) AS spent,
      (SELECT coalesce(sum(micro_usd), 0)::bigint FROM budget_reservations WHERE budget_id = wanted.id AND expires_at > ${now}) AS reserved
    FROM ${wanted(budgets)} LEFT JOIN budgets ON budgets.id = wanted.id`;
  return new Map(rows.map(({ id, spent, reserved }) => [id, { spentMicroUsd: spent, reservedMicroUsd: reserved }]));
}

/** Counts a key's own budget anew from what the key spent: after a change of what counts. */
export async function recount(db: Database, budget: Budget, now: Date): Promise<void> {
  // The sum must see what was settled until the row was locked, hence two statements.
  await lockBudgets(db, [budget.id]);
  await db.$executeRaw`UPDATE budgets SET spent_micro_usd = ${SPENT_BEFORE}, updated_at = ${now} FROM ${wanted([budget])} WHERE budgets.id = wanted.id`;
}
