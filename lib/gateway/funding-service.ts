import "server-only";
import { chargeOf } from "../engine/budgets/budget-policy";
import type { BudgetRule, Charge, ExhaustedBudget, Held, RequestSize } from "../engine/budgets/budget-rule";
import { peek, reserve } from "../records/budgets/service";
import type { Context } from "../platform/context";
import type { Endpoint } from "../engine/endpoint";

/** The result of a budget reservation. */
export interface Funding {
  /** Candidates within every budget, in their original order; empty when none remains. */
  candidates: Endpoint[];
  held: Held[];
  exhausted: ExhaustedBudget[];
}

export const NO_FUNDING: Funding = { candidates: [], held: [], exhausted: [] };

/** Reserves the estimated cost under every budget before the upstream call. */
export const fund = (
  context: Context,
  generationId: string,
  rules: readonly BudgetRule[],
  planned: readonly Endpoint[],
  size: RequestSize,
): Promise<Funding> => fundBy((charges) => reserve(context, generationId, charges), rules, planned, size);

/** Returns what `reserveBudget` would return now, without reserving. */
export const foresee = (
  context: Context,
  rules: readonly BudgetRule[],
  planned: readonly Endpoint[],
  size: RequestSize,
): Promise<Funding> => fundBy((charges) => peek(context, charges), rules, planned, size);

/** An exhausted budget excludes the candidates that would spend from it; free ones stay (docs/semantics.md#budgets). */
async function fundBy(
  ask: (charges: readonly Charge[]) => Promise<{ held: Held[] } | { exhausted: ExhaustedBudget[] }>,
  rules: readonly BudgetRule[],
  planned: readonly Endpoint[],
  size: RequestSize,
): Promise<Funding> {
  let candidates = [...planned];
  const exhausted: ExhaustedBudget[] = [];
  while (candidates.length > 0) {
    const charges = rules
      .map((rule) => ({ rule, microUsd: chargeOf(rule, candidates, size) }))
      .filter(({ microUsd }) => microUsd > 0n);
    if (charges.length === 0) return { candidates, held: [], exhausted };
    const reserved = await ask(charges);
    if ("held" in reserved) return { candidates, held: reserved.held, exhausted };
    exhausted.push(...reserved.exhausted);
    candidates = candidates.filter((endpoint) =>
      reserved.exhausted.every(({ rule }) => chargeOf(rule, [endpoint], size) === 0n),
    );
  }
  return { candidates, held: [], exhausted };
}
