import { raisedBy } from "./budget-policy";
import type { Balance, Budget, BudgetRule, ExhaustedBudget, Held } from "./budget-rule";

/** One request's wish to spend: what it may cost under each of its budgets, micro-USD. */
export interface Asking {
  generationId: string;
  charges: readonly { budget: Budget; microUsd: bigint }[];
  now: Date;
}

/** Held under every budget of the request, or under none. */
export type Admission = { held: Held[] } | { exhausted: ExhaustedBudget[] };

/** Balances by budget id. */
export type Balances = ReadonlyMap<string, Balance>;

const UNTOUCHED: Balance = { spentMicroUsd: 0n, reservedMicroUsd: 0n };

/** The budgets that have nothing left. What is reserved counts like what is spent; the request that is admitted last may pass the limit. */
const exhaustedOf = (budgets: readonly Budget[], balances: Balances): ExhaustedBudget[] =>
  budgets
    .map((budget) => ({ ...budget, ...(balances.get(budget.id) ?? UNTOUCHED) }))
    .filter(({ rule, spentMicroUsd, reservedMicroUsd }) => spentMicroUsd + reservedMicroUsd >= rule.limitMicroUsd);

/** Whether nothing of the limit is left besides what exceptions raise it by. */
const isBeyond = (
  { limitMicroUsd, raises = [] }: BudgetRule,
  { spentMicroUsd, reservedMicroUsd } = UNTOUCHED,
): boolean => raises.length > 0 && spentMicroUsd + reservedMicroUsd >= limitMicroUsd - raisedBy(raises);

/** Decides requests in their order, each seeing what those before it reserved. */
export function admit(asking: readonly Asking[], balances: Balances): Admission[] {
  const current = new Map(balances);
  return asking.map(({ charges }) => {
    const exhausted = exhaustedOf(
      charges.map(({ budget }) => budget),
      current,
    );
    if (exhausted.length > 0) return { exhausted };
    const held = charges.map(({ budget: { id, rule } }) => ({
      budgetId: id,
      rule,
      isBeyond: isBeyond(rule, current.get(id)),
    }));
    for (const { budget, microUsd } of charges) {
      const balance = current.get(budget.id) ?? UNTOUCHED;
      current.set(budget.id, { ...balance, reservedMicroUsd: balance.reservedMicroUsd + microUsd });
    }
    return { held };
  });
}
