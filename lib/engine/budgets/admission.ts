import { totalRaise } from "./budget";
import type { Balance, Budget, BudgetRule, ExhaustedBudget, ReservedBudget } from "./budget-rule";

/** A request to reserve budget: its maximum cost under each budget, in micro-USD. */
export interface ReservationRequest {
  generationId: string;
  charges: readonly { budget: Budget; microUsd: bigint }[];
  now: Date;
}

/** Reserved under every budget of the request, or under none. */
export type Admission = { held: ReservedBudget[] } | { exhausted: ExhaustedBudget[] };

/** Balances by budget id. */
export type Balances = ReadonlyMap<string, Balance>;

const UNTOUCHED: Balance = { spentMicroUsd: 0n, reservedMicroUsd: 0n };

/** Returns exhausted budgets. Reservations count as spend; the last admitted request may exceed the limit. */
const exhaustedOf = (budgets: readonly Budget[], balances: Balances): ExhaustedBudget[] =>
  budgets
    .map((budget) => ({ ...budget, ...(balances.get(budget.id) ?? UNTOUCHED) }))
    .filter(({ rule, spentMicroUsd, reservedMicroUsd }) => spentMicroUsd + reservedMicroUsd >= rule.limitMicroUsd);

/** True when the limit without exceptions is used up. */
const isBeyond = (
  { limitMicroUsd, raises = [] }: BudgetRule,
  { spentMicroUsd, reservedMicroUsd } = UNTOUCHED,
): boolean => raises.length > 0 && spentMicroUsd + reservedMicroUsd >= limitMicroUsd - totalRaise(raises);

/** Returns what a reservation leaves of a limit. */
function leftOf(
  { limitMicroUsd }: BudgetRule,
  microUsd: bigint,
  { spentMicroUsd, reservedMicroUsd } = UNTOUCHED,
): bigint {
  const left = limitMicroUsd - spentMicroUsd - reservedMicroUsd - microUsd;
  return left > 0n ? left : 0n;
}

/** Admits requests in order, each considering the reservations before it. */
export function admit(asking: readonly ReservationRequest[], balances: Balances): Admission[] {
  const current = new Map(balances);
  return asking.map(({ charges }) => {
    const exhausted = exhaustedOf(
      charges.map(({ budget }) => budget),
      current,
    );
    if (exhausted.length > 0) return { exhausted };
    const held = charges.map(({ budget: { id, rule }, microUsd }) => ({
      budgetId: id,
      rule,
      isBeyond: isBeyond(rule, current.get(id)),
      ...(rule.limit && { remaining: leftOf(rule, microUsd, current.get(id)) }),
    }));
    for (const { budget, microUsd } of charges) {
      const balance = current.get(budget.id) ?? UNTOUCHED;
      current.set(budget.id, { ...balance, reservedMicroUsd: balance.reservedMicroUsd + microUsd });
    }
    return { held };
  });
}
