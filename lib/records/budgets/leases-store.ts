import "server-only";
import type { Database } from "../../platform/database/transaction";
import type { Grant, LeaseUpdate } from "../../engine/budgets/lease-ledger";
import { RECALL_MS, type BudgetState } from "../../engine/budgets/lease";

interface StateRow {
  id: string;
  spent: bigint;
  carried: bigint;
  recalled_at: Date | null;
  others: bigint;
  others_idle: bigint;
  own: bigint | null;
}

/** Reads locked budgets with their unexpired leases. `own` are the process's lease ids by budget. */
export async function statesOf(
  db: Database,
  own: ReadonlyMap<string, string | null>,
  now: Date,
): Promise<ReadonlyMap<string, BudgetState>> {
  const rows = await db.$queryRaw<StateRow[]>`
    SELECT budgets.id::text, spent_micro_usd AS spent, carried_micro_usd AS carried, recalled_at, held.others, held.others_idle, held.own
    FROM unnest(${[...own.keys()]}::uuid[], ${[...own.values()]}::uuid[]) AS wanted(budget_id, lease_id)
    JOIN budgets ON budgets.id = wanted.budget_id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(micro_usd) FILTER (WHERE id IS DISTINCT FROM wanted.lease_id), 0)::bigint AS others,
        coalesce(sum(greatest(micro_usd - reserved_micro_usd, 0)) FILTER (WHERE id IS DISTINCT FROM wanted.lease_id), 0)::bigint AS others_idle,
        sum(micro_usd) FILTER (WHERE id = wanted.lease_id)::bigint AS own
      FROM budget_leases WHERE budget_id = budgets.id AND expires_at > ${now}
    ) AS held`;
  return new Map(
    rows.map(({ id, spent, carried, recalled_at, others, others_idle, own: ownMicroUsd }) => [
      id,
      {
        spentMicroUsd: spent,
        carriedMicroUsd: carried,
        othersMicroUsd: others,
        othersIdleMicroUsd: others_idle,
        ownMicroUsd,
        recalledAt: recalled_at?.getTime() ?? null,
      },
    ]),
  );
}

/** Writes grants under the locks of their budgets, and deletes the leases of crashed processes. */
export async function writeGrants(
  db: Database,
  budgetIds: readonly string[],
  grants: readonly Grant[],
  now: Date,
): Promise<void> {
  if (grants.length === 0) return;
  await db.$executeRaw`
    WITH lapsed AS (DELETE FROM budget_leases WHERE budget_id = ANY(${budgetIds}::uuid[]) AND expires_at <= ${now})
    INSERT INTO budget_leases AS leases (budget_id, id, micro_usd, reserved_micro_usd, expires_at)
    SELECT granted.* FROM unnest(
      ${grants.map(({ budgetId }) => budgetId)}::uuid[], ${grants.map(({ leaseId }) => leaseId)}::uuid[],
      ${grants.map(({ addedMicroUsd }) => String(addedMicroUsd))}::bigint[], ${grants.map(({ reservedMicroUsd }) => String(reservedMicroUsd))}::bigint[],
      ${grants.map(({ expiresAt }) => expiresAt)}::timestamptz[]
    ) AS granted
    ON CONFLICT (budget_id, id) DO UPDATE SET micro_usd = leases.micro_usd + excluded.micro_usd,
      reserved_micro_usd = excluded.reserved_micro_usd, expires_at = greatest(leases.expires_at, excluded.expires_at)`;
}

/** Asks all processes to return unneeded amounts of locked budgets. */
export async function recall(db: Database, budgetIds: readonly string[], now: Date): Promise<void> {
  if (budgetIds.length > 0)
    await db.$executeRaw`UPDATE budgets SET recalled_at = ${now} WHERE id = ANY(${budgetIds}::uuid[])`;
}

/** Returns which budgets were recalled recently. */
export async function recalledOf(db: Database, budgetIds: readonly string[], now: Date): Promise<ReadonlySet<string>> {
  if (budgetIds.length === 0) return new Set();
  const since = new Date(now.getTime() - RECALL_MS);
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM budgets WHERE id = ANY(${budgetIds}::uuid[]) AND recalled_at > ${since}`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Renews, lowers and ends this process's leases, and returns the ones found. Skips rows that are being settled instead
 * of waiting.
 */
export async function maintain(
  db: Database,
  changed: readonly LeaseUpdate[],
  ended: readonly LeaseUpdate[],
): Promise<ReadonlySet<string>> {
  if (ended.length > 0)
    await db.$executeRaw`DELETE FROM budget_leases WHERE (budget_id, id) IN (
      SELECT budget_id, id FROM budget_leases
      WHERE budget_id = ANY(${ended.map(({ budgetId }) => budgetId)}::uuid[]) AND id = ANY(${ended.map(({ leaseId }) => leaseId)}::uuid[])
      FOR UPDATE SKIP LOCKED)`;
  if (changed.length === 0) return new Set();
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH given AS (
      SELECT * FROM unnest(
        ${changed.map(({ budgetId }) => budgetId)}::uuid[], ${changed.map(({ leaseId }) => leaseId)}::uuid[],
        ${changed.map(({ grantedMicroUsd }) => String(grantedMicroUsd))}::bigint[], ${changed.map(({ reservedMicroUsd }) => String(reservedMicroUsd))}::bigint[],
        ${changed.map(({ expiresAt }) => expiresAt)}::timestamptz[]
      ) AS given(budget_id, id, granted, reserved, expires_at)
    ), free AS (
      SELECT leases.id FROM budget_leases leases JOIN given USING (budget_id, id) FOR UPDATE OF leases SKIP LOCKED
    )
    UPDATE budget_leases leases SET micro_usd = least(leases.micro_usd, given.granted), reserved_micro_usd = given.reserved,
      expires_at = greatest(leases.expires_at, given.expires_at)
    FROM given JOIN free USING (id) WHERE leases.budget_id = given.budget_id AND leases.id = given.id RETURNING leases.id::text`;
  return new Set(rows.map(({ id }) => id));
}
