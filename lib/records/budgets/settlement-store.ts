import "server-only";
import { countOf, rowsFrom, toArrays, toParameters } from "../../platform/database/columns";
import { runStatement, type Parameter } from "../../platform/database/statement";
import type { Database } from "../../platform/database/transaction";
import type { BudgetCharge } from "../../engine/budgets/lease-ledger";

const DUE_COLUMNS = { budget_id: "uuid", cost: "int8", lease_id: "uuid", returned: "int8", reserved: "int8" } as const;

/**
 * The CTEs that add costs to budgets, once for each, and lower the process's leases, for use in the statement that
 * records generations, beginning with parameter `first`. Budgets are locked in ascending id order like in all code, and
 * leases only after their budget.
 */
export const settlementCtes = (first: number): string => `
  due AS MATERIALIZED (
    SELECT * FROM ${rowsFrom(DUE_COLUMNS, first, "due")}
  ), locked AS MATERIALIZED (
    SELECT id FROM budgets WHERE id IN (SELECT budget_id FROM due) ORDER BY id FOR NO KEY UPDATE
  ), settled AS (
    UPDATE budgets SET spent_micro_usd = spent_micro_usd + due.cost, updated_at = $${first + countOf(DUE_COLUMNS)}::timestamptz
    FROM locked JOIN due ON due.budget_id = locked.id WHERE budgets.id = locked.id RETURNING budgets.id
  ), lowered AS (
    UPDATE budget_leases leases SET micro_usd = greatest(leases.micro_usd - due.returned, 0), reserved_micro_usd = due.reserved
    FROM due JOIN settled ON settled.id = due.budget_id WHERE leases.budget_id = due.budget_id AND leases.id = due.lease_id
  )`;

/** Parameters of `settlementCtes`. */
export const settlementParameters = (charges: readonly BudgetCharge[], now: Date): Parameter[] => [
  ...toArrays(
    DUE_COLUMNS,
    charges.map((charge) =>
      toParameters(DUE_COLUMNS, {
        budget_id: charge.budgetId,
        cost: charge.costMicroUsd,
        lease_id: charge.leaseId,
        returned: charge.returnedMicroUsd,
        reserved: charge.reservedMicroUsd,
      }),
    ),
  ),
  now.toISOString(),
];

const SETTLE = { name: "settle", text: `WITH ${settlementCtes(1)} SELECT` };

/** Settles without recording a generation. */
export const settle = (db: Database, charges: readonly BudgetCharge[], now: Date): Promise<void> =>
  runStatement(db, SETTLE, settlementParameters(charges, now));
