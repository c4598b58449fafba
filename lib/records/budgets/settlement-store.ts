import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import type { Settlement } from "../../engine/budgets/budget-rule";

/**
 * Builds the CTEs that add actual costs to budgets and delete the reservations, including expired ones, for use in the
 * statement that records generations. Rows are locked in ascending id order like in all code, and a budget's
 * reservations are changed only under its lock.
 */
export function settlementCtes(settlements: readonly Settlement[], now: Date): Prisma.Sql {
  const rows = settlements.map(({ budgetId, generationId, costMicroUsd }) => ({
    budget_id: budgetId,
    generation_id: generationId,
    cost: String(costMicroUsd),
  }));
  return Prisma.sql`
    due AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS due(budget_id uuid, generation_id text, cost bigint)
    ), locked AS MATERIALIZED (
      SELECT id FROM budgets WHERE id IN (SELECT budget_id FROM due) ORDER BY id FOR NO KEY UPDATE
    ), settled AS (
      UPDATE budgets SET spent_micro_usd = spent_micro_usd + total.cost, updated_at = ${now}
      FROM locked JOIN (SELECT budget_id, sum(cost)::bigint AS cost FROM due GROUP BY budget_id) total ON total.budget_id = locked.id
      WHERE budgets.id = locked.id RETURNING budgets.id
    ), released AS (
      DELETE FROM budget_reservations reservations USING due JOIN settled ON settled.id = due.budget_id
      WHERE reservations.budget_id = due.budget_id AND reservations.generation_id = due.generation_id
    )`;
}

/** Settles many generations in one statement. */
export async function settle(db: Database, settlements: readonly Settlement[], now: Date): Promise<void> {
  if (settlements.length > 0) await db.$executeRaw`WITH ${settlementCtes(settlements, now)} SELECT 1`;
}
