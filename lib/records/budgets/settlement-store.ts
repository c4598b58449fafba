import "server-only";
import { countOf, formOf, parametersOf, rowsFrom, toParameters, type Form } from "../../platform/database/columns";
import { runStatement, type Parameter, type Statement } from "../../platform/database/statement";
import type { Database } from "../../platform/database/transaction";
import type { BudgetCharge } from "../../engine/budgets/lease-ledger";

const DUE_COLUMNS = { budget_id: "uuid", cost: "int8", lease_id: "uuid", returned: "int8", reserved: "int8" } as const;

/** Locks budgets in ascending id order, like all code. */
const lockedInOrder = (first: number): string => `
  due AS MATERIALIZED (
    SELECT * FROM ${rowsFrom("many", DUE_COLUMNS, first, "due")}
  ), locked AS MATERIALIZED (
    SELECT id FROM budgets WHERE id IN (SELECT budget_id FROM due) ORDER BY id FOR NO KEY UPDATE
  ), `;

/**
 * The CTEs that add costs to budgets once each, and lower the process's leases. They are part of the statement that
 * records generations, with parameters from `first` on. Leases are locked after their budget.
 */
export const settlementCtes = (form: Form, first: number): string => {
  const due = form === "many" ? "due" : rowsFrom(form, DUE_COLUMNS, first, "due");
  return `${form === "many" ? lockedInOrder(first) : ""}settled AS (
    UPDATE budgets SET spent_micro_usd = spent_micro_usd + due.cost, updated_at = $${first + countOf(DUE_COLUMNS)}::timestamptz
    FROM ${due} ${form === "many" ? "JOIN locked ON locked.id = due.budget_id" : ""} WHERE budgets.id = due.budget_id
    RETURNING budgets.id
  ), lowered AS (
    UPDATE budget_leases leases SET micro_usd = greatest(leases.micro_usd - due.returned, 0), reserved_micro_usd = due.reserved
    FROM ${due} JOIN settled ON settled.id = due.budget_id WHERE leases.budget_id = due.budget_id AND leases.id = due.lease_id
  )`;
};

/** Parameters of `settlementCtes`; none without charges. */
export function settlementParameters(form: Form, charges: readonly BudgetCharge[], now: Date): Parameter[] {
  if (form === "none") return [];
  const rows = charges.map((charge) =>
    toParameters(DUE_COLUMNS, {
      budget_id: charge.budgetId,
      cost: charge.costMicroUsd,
      lease_id: charge.leaseId,
      returned: charge.returnedMicroUsd,
      reserved: charge.reservedMicroUsd,
    }),
  );
  return [...parametersOf(form, DUE_COLUMNS, rows), now.toISOString()];
}

const SETTLE: Readonly<Record<"one" | "many", Statement>> = {
  one: { name: "settle_one", text: `WITH ${settlementCtes("one", 1)} SELECT` },
  many: { name: "settle", text: `WITH ${settlementCtes("many", 1)} SELECT` },
};

/** Settles without recording a generation. */
export async function settle(db: Database, charges: readonly BudgetCharge[], now: Date): Promise<void> {
  const form = formOf(charges);
  if (form !== "none") await runStatement(db, SETTLE[form], settlementParameters(form, charges, now));
}
