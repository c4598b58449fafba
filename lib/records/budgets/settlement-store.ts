import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import type { BudgetCharge } from "../../engine/budgets/lease-ledger";

/**
 * Builds the CTEs that add costs to budgets, once for each, and lower the process's leases, for use in the statement that
 * records generations. Budgets are locked in ascending id order like in all code, and leases only after their budget.
 */
export function settlementCtes(charges: readonly BudgetCharge[], now: Date): Prisma.Sql {
  return Prisma.sql`
    due AS MATERIALIZED (
      SELECT * FROM unnest(
        ${charges.map(({ budgetId }) => budgetId)}::uuid[], ${charges.map(({ costMicroUsd }) => String(costMicroUsd))}::bigint[],
        ${charges.map(({ leaseId }) => leaseId)}::uuid[], ${charges.map(({ returnedMicroUsd }) => String(returnedMicroUsd))}::bigint[],
        ${charges.map(({ reservedMicroUsd }) => String(reservedMicroUsd))}::bigint[]
      ) AS due(budget_id, cost, lease_id, returned, reserved)
    ), locked AS MATERIALIZED (
      SELECT id FROM budgets WHERE id IN (SELECT budget_id FROM due) ORDER BY id FOR NO KEY UPDATE
    ), settled AS (
      UPDATE budgets SET spent_micro_usd = spent_micro_usd + due.cost, updated_at = ${now}
      FROM locked JOIN due ON due.budget_id = locked.id WHERE budgets.id = locked.id RETURNING budgets.id
    ), lowered AS (
      UPDATE budget_leases leases SET micro_usd = greatest(leases.micro_usd - due.returned, 0), reserved_micro_usd = due.reserved
      FROM due JOIN settled ON settled.id = due.budget_id WHERE leases.budget_id = due.budget_id AND leases.id = due.lease_id
    )`;
}

/** Settles without recording a generation. */
export async function settle(db: Database, charges: readonly BudgetCharge[], now: Date): Promise<void> {
  await db.$executeRaw`WITH ${settlementCtes(charges, now)} SELECT 1`;
}
