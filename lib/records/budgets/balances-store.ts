import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import { outdate, leasesHere } from "./leases-service";
import type { Balances } from "../../engine/budgets/admission";
import type { Budget } from "../../engine/budgets/budget-rule";

/** Converts budgets to rows of a statement. */
function wanted(budgets: readonly Budget[]): Prisma.Sql {
  const rows = budgets.map(({ id, rule, windowStart, carriesFrom = null }) => ({
    id,
    source_id: rule.sourceId,
    subject: rule.subject,
    subject_id: rule.subjectId,
    window: rule.interval ?? "lifetime",
    window_start: windowStart,
    includes_byok: rule.includesByok,
    carries_from: carriesFrom,
    amount: String(rule.limitMicroUsd),
  }));
  return Prisma.sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    AS wanted(id uuid, source_id uuid, subject budget_subject, subject_id text, "window" budget_window, window_start timestamptz, includes_byok boolean, carries_from uuid, amount bigint)`;
}

/**
 * Initial spend of a `wanted` budget without a row. For a key's own limit it is the key's spend so far, summed by days
 * because windows start at midnight (UTC); for a guardrail's limit it is zero.
 */
export const INITIAL_SPEND = Prisma.sql`
  CASE WHEN wanted.subject_id = wanted.source_id::text THEN (
    SELECT coalesce(sum(cost_micro_usd), 0)::bigint FROM key_spend_days
    WHERE key_id = wanted.source_id AND day >= (wanted.window_start AT TIME ZONE 'UTC')::date AND (wanted.includes_byok OR NOT is_byok)
  ) ELSE 0 END`;

/**
 * SQL for the amount that a `wanted` budget has from the window before: what is left of its own amount there. What that
 * window itself had carried over is spent first and isn't passed on. Leases that haven't expired count as spent.
 */
const carriedSql = (now: Date) => Prisma.sql`
  CASE WHEN wanted.carries_from IS NULL THEN 0 ELSE greatest(0, wanted.amount - coalesce((
    SELECT greatest(before.spent_micro_usd, 0) + (
      SELECT coalesce(sum(micro_usd), 0) FROM budget_leases WHERE budget_id = before.id AND expires_at > ${now}
    ) FROM budgets before WHERE before.id = wanted.carries_from
  ), 0))::bigint END`;

/**
 * Creates missing rows in a separate transaction, so that no lock is held while waiting for the row of another
 * transaction.
 */
export async function createBudgets(db: Database, budgets: readonly Budget[], now: Date): Promise<void> {
  await db.$executeRaw`
    INSERT INTO budgets (id, source_id, subject, subject_id, "window", window_start, spent_micro_usd, carried_micro_usd, updated_at)
    SELECT id, source_id, subject, subject_id, "window", window_start, ${INITIAL_SPEND} - carried, carried, ${now}
    FROM ${wanted(budgets)} CROSS JOIN LATERAL (SELECT ${carriedSql(now)} AS carried) AS before ORDER BY id
    ON CONFLICT DO NOTHING`;
}

/** Locks budgets until the end of the transaction, in ascending id order like all code; returns how many exist. */
export async function lockBudgets(db: Database, ids: readonly string[]): Promise<number> {
  const rows = await db.$queryRaw<
    unknown[]
  >`SELECT 1 AS locked FROM budgets WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  return rows.length;
}

/**
 * SQL for unexpired leases, with the reservations of running requests. This process's reservations are current; those of
 * other processes are at most a second old.
 */
const reservations = (db: Database, now: Date) => {
  const own = leasesHere(db);
  return Prisma.sql`
    SELECT leases.budget_id, coalesce(own.micro_usd, leases.reserved_micro_usd) AS micro_usd
    FROM budget_leases leases LEFT JOIN unnest(
      ${own.map(({ id }) => id)}::uuid[], ${own.map(({ reservedMicroUsd }) => String(reservedMicroUsd))}::bigint[]
    ) AS own(id, micro_usd) ON own.id = leases.id
    WHERE leases.expires_at > ${now}`;
};

/** SQL for the amount that running requests have reserved in a budget. */
export const reservedSql = (db: Database, budgetId: Prisma.Sql, now: Date) => Prisma.sql`(
  SELECT coalesce(sum(micro_usd), 0)::bigint FROM (${reservations(db, now)}) AS reservations WHERE reservations.budget_id = ${budgetId})`;

/** SQL for the amounts that running requests have reserved, by budget. */
export const reservedByBudget = (db: Database, now: Date) => Prisma.sql`
  SELECT budget_id, sum(micro_usd)::bigint AS micro_usd FROM (${reservations(db, now)}) AS reservations GROUP BY budget_id`;

/** Reads spend and reservations in one statement, because a page of keys needs many. */
export async function balancesOf(db: Database, budgets: readonly Budget[], now: Date): Promise<Balances> {
  if (budgets.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; spent: bigint; carried: bigint; reserved: bigint }[]>`
    SELECT wanted.id::text, coalesce(budgets.spent_micro_usd, ${INITIAL_SPEND} - before.carried) AS spent,
      coalesce(budgets.carried_micro_usd, before.carried) AS carried, ${reservedSql(db, Prisma.sql`wanted.id`, now)} AS reserved
    FROM ${wanted(budgets)} LEFT JOIN budgets ON budgets.id = wanted.id CROSS JOIN LATERAL (SELECT ${carriedSql(now)} AS carried) AS before`;
  return new Map(
    rows.map(({ id, spent, carried, reserved }) => [
      id,
      { spentMicroUsd: spent, carriedMicroUsd: carried, reservedMicroUsd: reserved },
    ]),
  );
}

/**
 * Recomputes a key's own budget from its spend, after a change of the counted spend. Leases are returned, so this
 * process asks the database at once, and others within a second.
 */
export async function recomputeSpend(db: Database, budget: Budget, now: Date): Promise<void> {
  // The sum must include everything settled before the row was locked, so locking and reading are separate statements.
  await lockBudgets(db, [budget.id]);
  outdate(budget.id);
  await db.$executeRaw`UPDATE budgets SET spent_micro_usd = ${INITIAL_SPEND}, updated_at = ${now}, recalled_at = ${now} FROM ${wanted([budget])} WHERE budgets.id = wanted.id`;
}
