import { budgetOf, countsToward } from "../../engine/budgets/budget";
import type { Budget, BudgetRule, ExhaustedBudget, PolicyRule } from "../../engine/budgets/budget-rule";
import { isBudgetDecision } from "../../engine/budgets/vocabulary";
import type { Decision } from "../../engine/decision/contract";
import type { Endpoint } from "../../engine/endpoint";

const accountOf = ({ sourceId, subject, subjectId }: BudgetRule) => `${sourceId} ${subject} ${subjectId}`;

/** True when any spend that exhausts `then` also exhausts `rule`. */
const isAsTight = (rule: BudgetRule, then: BudgetRule) =>
  rule.interval === then.interval &&
  rule.limitMicroUsd <= then.limitMicroUsd &&
  (rule.includesByok || !then.includesByok);

/**
 * Returns the recorded budget decisions that still apply: those of other guardrails, and the draft's if its limit is at
 * least as tight.
 */
export function remainingBudgetDecisions(
  recorded: readonly Decision[],
  draftId: string | null,
  now: readonly BudgetRule[],
  then: readonly BudgetRule[],
): Decision[] {
  const of = (rules: readonly BudgetRule[]) => rules.filter(({ source }) => source?.guardrail_id === draftId);
  const before = new Map(of(then).map((rule) => [accountOf(rule), rule]));
  const isKept = of(now).some((rule) => {
    const limit = before.get(accountOf(rule));
    return limit !== undefined && isAsTight(rule, limit);
  });
  return recorded.filter(
    ({ field, guardrail_id }) =>
      isBudgetDecision({ field }) && (guardrail_id !== draftId || draftId === null || isKept),
  );
}

/** Returns the draft's limits that could block requests that passed: new limits and tighter ones. */
export function simulatedRules(
  draftId: string | null,
  now: readonly PolicyRule[],
  then: readonly PolicyRule[],
): PolicyRule[] {
  const before = new Map(then.map((rule) => [accountOf(rule), rule]));
  return now.filter((rule) => {
    const limit = before.get(accountOf(rule));
    return rule.source?.guardrail_id === draftId && !(limit && isAsTight(limit, rule));
  });
}

/** A limit that was reached, and when. */
export interface ReachedLimit {
  budget: Budget<PolicyRule>;
  at: Date;
  generationId: string;
  /** Number of requests that it would have blocked. */
  stopped: number;
}

/** A request's effect on budgets. */
export interface SimulatedRequest {
  generationId: string;
  at: Date;
  rules: readonly PolicyRule[];
  /** Actual cost in micro-USD. */
  costMicroUsd: bigint;
  /** The endpoint that responded, or null. */
  by: Endpoint | null;
  /** True when a rule charges the request. */
  isCharged: (rule: BudgetRule) => boolean;
  /** Returns the remaining candidates when the given budgets are exhausted. */
  left: (exhausted: readonly ExhaustedBudget[]) => readonly Endpoint[];
}

/**
 * Replays the cost of requests, in chronological order, against limits that were not in force. Each window starts at
 * zero because only selected requests count. Returns the limits reached and the remaining candidates of each request.
 */
export function simulate(requests: readonly SimulatedRequest[]): {
  reached: ReachedLimit[];
  exhausted: Map<string, ExhaustedBudget[]>;
} {
  const spent = new Map<string, bigint>();
  const reached = new Map<string, ReachedLimit>();
  const exhausted = new Map<string, ExhaustedBudget[]>();
  for (const { generationId, at, rules, costMicroUsd, by, isCharged, left } of requests) {
    const budgets = rules.filter(isCharged).map((rule) => budgetOf(rule, at));
    const mark = (budget: Budget<PolicyRule>) => {
      if (!reached.has(budget.id)) reached.set(budget.id, { budget, at, generationId, stopped: 0 });
    };
    const empty = budgets
      .filter(({ id, rule }) => (spent.get(id) ?? 0n) >= rule.limitMicroUsd)
      .map((budget): ExhaustedBudget<PolicyRule> => ({
        ...budget,
        spentMicroUsd: spent.get(budget.id) ?? 0n,
        reservedMicroUsd: 0n,
      }));
    empty.forEach(mark);
    if (empty.length > 0) exhausted.set(generationId, empty);
    if (empty.length > 0 && !left(empty).some((endpoint) => endpoint === by)) {
      for (const { id } of left(empty).length === 0 ? empty : []) (reached.get(id) as ReachedLimit).stopped += 1;
      continue;
    }
    for (const budget of budgets) {
      if (!by || !countsToward(budget.rule, by)) continue;
      const sum = (spent.get(budget.id) ?? 0n) + costMicroUsd;
      spent.set(budget.id, sum);
      if (sum >= budget.rule.limitMicroUsd) mark(budget);
    }
  }
  return { reached: [...reached.values()], exhausted };
}
