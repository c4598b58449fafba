import type { ExhaustedBudget } from "../../engine/budgets/budget-rule";
import { exhaustedAt, exhaustedDecisions, exhaustedDenial } from "../../engine/budgets/denial";
import type { Endpoint } from "../../engine/endpoint";
import { chargeOf } from "../../engine/budgets/budget";
import { simulate, type ReachedLimit, type SimulatedRequest } from "./budgets";
import { changeOf, type RequestResult } from "./change";
import type { ReplayProgress } from "./contract";
import type { EvaluatedRequest } from "./batch-service";
import type { Change, Obstacle } from "./vocabulary";

/** A request with a changed result. */
export interface Changed extends EvaluatedRequest {
  change: Change;
}

/** Determines each request's final result, newest first, after charging earlier requests to the draft's limits. */
export function applySimulatedBudgets(judged: readonly EvaluatedRequest[]): {
  changed: Changed[];
  reached: ReachedLimit[];
} {
  const oldestFirst = judged.filter(({ simulated }) => simulated.length > 0).toReversed();
  const { reached, exhausted } = simulate(oldestFirst.map(toSpending));
  const settled = judged.map((one) => {
    const empty = exhausted.get(one.row.id);
    return empty ? { ...one, after: withoutBudgets(one, empty) } : one;
  });
  return {
    changed: settled.flatMap((one) => {
      const change = changeOf(one.before, one.after, one.called);
      return change ? [{ ...one, change }] : [];
    }),
    reached,
  };
}

function toSpending({ row, candidates, size, simulated }: EvaluatedRequest): SimulatedRequest {
  const left = (exhausted: readonly ExhaustedBudget[]) =>
    candidates.filter((endpoint) => exhausted.every(({ rule }) => chargeOf(rule, [endpoint], size) === 0n));
  return {
    generationId: row.id,
    at: row.created_at,
    rules: simulated,
    costMicroUsd: row.cost_micro_usd,
    by:
      candidates.find(({ model, provider }) => model.slug === row.model && provider.slug === row.provider_slug) ??
      candidates[0] ??
      null,
    isCharged: (rule) => chargeOf(rule, candidates, size) > 0n,
    left,
  };
}

function withoutBudgets(judged: EvaluatedRequest, exhausted: readonly ExhaustedBudget[]): RequestResult {
  const { after, candidates, size } = judged;
  const left: readonly Endpoint[] = toSpending(judged).left(exhausted);
  const isStopped = left.length === 0;
  const routes = left.map(({ model, provider }) => ({ model: model.slug, provider: provider.slug }));
  return {
    outcome: isStopped ? "budget_exhausted" : after.outcome,
    message: isStopped ? exhaustedDenial(exhausted, exhaustedAt(candidates, exhausted, size)).message : after.message,
    routes,
    first: routes[0] ?? null,
    decisions: [...after.decisions, ...exhaustedDecisions(exhausted, isStopped ? "block" : "exclude")],
  };
}

/** Summarizes the results so far. */
export function summarize(
  evaluated: number,
  obstacles: ReadonlyMap<Obstacle, number>,
  changes: readonly Change[],
): Omit<ReplayProgress, "selected"> {
  const of = (change: Change) => changes.filter((one) => one === change).length;
  return {
    evaluated,
    not_evaluable: [...obstacles.values()].reduce((sum, count) => sum + count, 0),
    obstacles: Object.fromEntries(obstacles),
    unchanged: evaluated - changes.length,
    newly_blocked: of("newly_blocked"),
    newly_redacted: of("newly_redacted"),
    newly_flagged: of("newly_flagged"),
    newly_allowed: of("newly_allowed"),
    rerouted: of("rerouted"),
    no_endpoint: of("no_endpoint"),
    budget_exhausted: of("budget_exhausted"),
  };
}
