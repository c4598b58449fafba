import "server-only";
import { chargeOf } from "../engine/budgets/budget";
import type { BudgetRule, Charge, ExhaustedBudget, ReservedBudget, RequestSize } from "../engine/budgets/budget-rule";
import { previewReserve, reserve } from "../records/budgets/service";
import type { Context } from "../platform/context";
import type { Endpoint } from "../engine/endpoint";

/** The result of a budget reservation. */
export interface Reservation {
  /** Candidates within every budget, in their original order; empty when none remains. */
  candidates: Endpoint[];
  reserved: ReservedBudget[];
  exhausted: ExhaustedBudget[];
}

export const NO_RESERVATION: Reservation = { candidates: [], reserved: [], exhausted: [] };

/** Reserves the estimated cost under every budget before the upstream call. */
export const reserveBudget = (
  context: Context,
  generationId: string,
  rules: readonly BudgetRule[],
  planned: readonly Endpoint[],
  size: RequestSize,
): Promise<Reservation> => reserveBy((charges) => reserve(context, generationId, charges), rules, planned, size);

/** Returns the current result of `reserveBudget` without reserving. */
export const previewReservation = (
  context: Context,
  rules: readonly BudgetRule[],
  planned: readonly Endpoint[],
  size: RequestSize,
): Promise<Reservation> => reserveBy((charges) => previewReserve(context, charges), rules, planned, size);

/**
 * An exhausted budget excludes the candidates that would spend from it; free ones remain
 * (docs/budgets.md#which-limits-count).
 */
async function reserveBy(
  reserve: (charges: readonly Charge[]) => Promise<{ held: ReservedBudget[] } | { exhausted: ExhaustedBudget[] }>,
  rules: readonly BudgetRule[],
  planned: readonly Endpoint[],
  size: RequestSize,
): Promise<Reservation> {
  let candidates = [...planned];
  const exhausted: ExhaustedBudget[] = [];
  while (candidates.length > 0) {
    const charges = rules
      .map((rule) => ({ rule, microUsd: chargeOf(rule, candidates, size) }))
      .filter(({ microUsd }) => microUsd > 0n);
    if (charges.length === 0) return { candidates, reserved: [], exhausted };
    const reserved = await reserve(charges);
    if ("held" in reserved) return { candidates, reserved: reserved.held, exhausted };
    exhausted.push(...reserved.exhausted);
    candidates = candidates.filter((endpoint) =>
      reserved.exhausted.every(({ rule }) => chargeOf(rule, [endpoint], size) === 0n),
    );
  }
  return { candidates, reserved: [], exhausted };
}
