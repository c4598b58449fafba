import "server-only";
import type { Context } from "../../platform/context";
import { Batcher, batcherPerDatabase } from "../../platform/database/batcher";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { admit, type Admission, type ReservationRequest } from "../../engine/budgets/admission-policy";
import { balancesOf, lockBudgets, createBudgets } from "./balances-store";
import { budgetOf } from "../../engine/budgets/budget-policy";
import type { Budget, Charge, ReservedBudget } from "../../engine/budgets/budget-rule";
import { startRenewing, LEASE_MS, stopRenewing } from "./leases-store";
import { settle } from "./settlement-store";

const MOST_AT_ONCE = 200;

const admissions = batcherPerDatabase(
  (db) =>
    new Batcher<ReservationRequest, Admission>((asking) => admitAll(db, asking), {
      items: MOST_AT_ONCE,
      weight: MOST_AT_ONCE,
      weigh: () => 1,
    }),
);

/**
 * Reserves a request's maximum cost under all of its rules, or under none when a budget is exhausted; free requests
 * always pass. Concurrent requests are admitted in batches, in order.
 */
export async function reserve(
  { db, now }: Context,
  generationId: string,
  charges: readonly Charge[],
): Promise<Admission> {
  const paid = charges
    .filter(({ microUsd }) => microUsd > 0n)
    .map(({ rule, microUsd }) => ({ budget: budgetOf(rule, now), microUsd }));
  if (paid.length === 0) return { held: [] };
  const admission = await admissions(db).submit({ generationId, charges: paid, now });
  if ("held" in admission) startRenewing(db, generationId, admission.held, now);
  return admission;
}

/** Releases the reservations of a request that never became a generation; others are settled with their record. */
export async function release(
  { db, now }: Context,
  generationId: string,
  held: readonly ReservedBudget[],
): Promise<void> {
  stopRenewing(generationId);
  await settle(
    db,
    held.map(({ budgetId }) => ({ budgetId, generationId, costMicroUsd: 0n })),
    now,
  );
}

/** Returns what `reserve` would return now, without reserving. */
export async function previewReserve({ db, now }: Context, charges: readonly Charge[]): Promise<Admission> {
  const requested = charges.map(({ rule, microUsd }) => ({ budget: budgetOf(rule, now), microUsd }));
  const [admission = { held: [] }] = admit(
    [{ generationId: "", charges: requested, now }],
    await balancesOf(
      db,
      requested.map(({ budget }) => budget),
      now,
    ),
  );
  return admission;
}

async function admitAll(database: Database, asking: readonly ReservationRequest[]): Promise<Admission[]> {
  const budgets = [
    ...new Map(asking.flatMap(({ charges }) => charges.map(({ budget }) => [budget.id, budget]))).values(),
  ];
  const now = new Date(Math.max(...asking.map((one) => one.now.getTime())));
  const decided = await inTransaction(database, (db) => admitLocked(db, asking, budgets, now));
  if (decided) return decided;
  await createBudgets(database, budgets, now);
  return admitAll(database, asking);
}

/**
 * Locks before reading: a statement that waits for a lock sees only reservations from before it started, the next one
 * sees all. Returns null when a budget has no row yet.
 */
async function admitLocked(
  db: Database,
  asking: readonly ReservationRequest[],
  budgets: readonly Budget[],
  now: Date,
): Promise<Admission[] | null> {
  const ids = budgets.map(({ id }) => id);
  if ((await lockBudgets(db, ids)) < ids.length) return null;
  const decided = admit(asking, await balancesOf(db, budgets, now));
  const rows = asking.flatMap(({ generationId, charges, now: begun }, index) =>
    decided[index] && "held" in decided[index]
      ? charges.map(({ budget, microUsd }) => ({
          budget_id: budget.id,
          generation_id: generationId,
          micro_usd: String(microUsd),
          expires_at: new Date(begun.getTime() + LEASE_MS),
        }))
      : [],
  );
  // One statement: reservations of crashed processes are deleted while the budgets are locked anyway. It doesn't wait
  // for the disk: spend must survive a database crash, but reservations end with the requests that such a crash aborts.
  if (rows.length > 0)
    await db.$executeRaw`
      WITH lapsed AS (DELETE FROM budget_reservations WHERE budget_id = ANY(${ids}::uuid[]) AND expires_at <= ${now})
      INSERT INTO budget_reservations (budget_id, generation_id, micro_usd, expires_at)
      SELECT held.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS held(budget_id uuid, generation_id text, micro_usd bigint, expires_at timestamptz),
        (SELECT set_config('synchronous_commit', 'off', true)) AS relaxed`;
  return decided;
}
