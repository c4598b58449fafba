import { budgetOf, counts } from "../../engine/budgets/budget-policy";
import type { Budget, BudgetRule, ExhaustedBudget } from "../../engine/budgets/budget-rule";
import type { Decision } from "../../records/generations/contract";
import type { Endpoint } from "../../engine/endpoint";

const accountOf = ({ sourceId, subject, subjectId }: BudgetRule) => `${sourceId} ${subject} ${subjectId}`;

/** Whether whatever exhausts a limit that was exhausts this one, too. */
const isAsTight = (rule: BudgetRule, then: BudgetRule) =>
  rule.interval === then.interval &&
  rule.limitMicroUsd <= then.limitMicroUsd &&
  (rule.includesByok || !then.includesByok);

/** What of the recorded decisions about money stays decided: whoever else set the limit, or the draft when it is as tight as what it replaces. */
export function standingDecisions(
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
    ({ field, guardrail_id }) => field === "limit_usd" && (guardrail_id !== draftId || draftId === null || isKept),
  );
}

/** The draft's limits that may stop what passed: new ones, and those tighter than what they replace. */
export function simulatedRules(
  draftId: string | null,
  now: readonly BudgetRule[],
  then: readonly BudgetRule[],
): BudgetRule[] {
  const before = new Map(then.map((rule) => [accountOf(rule), rule]));
  return now.filter((rule) => {
    const limit = before.get(accountOf(rule));
    return rule.source?.guardrail_id === draftId && !(limit && isAsTight(limit, rule));
  });
}

/** A limit that was reached, and when. */
export interface Reached {
  budget: Budget;
  at: Date;
  generationId: string;
  /** Requests that it would have stopped. */
  stopped: number;
}

/** What one request does to budgets. */
export interface Spending {
  generationId: string;
  at: Date;
  rules: readonly BudgetRule[];
  /** What it cost, micro-USD. */
  costMicroUsd: bigint;
  /** Who answered; null when nobody did. */
  by: Endpoint | null;
  /** Whether a rule has something to lose to it. */
  isCharged: (rule: BudgetRule) => boolean;
  /** Who is left when these budgets are exhausted. */
  left: (exhausted: readonly ExhaustedBudget[]) => readonly Endpoint[];
}

/**
 * Spends what requests cost under limits that were not in force, in the order in which they were made, each window from
 * nothing: only what is selected counts. Says which limits are reached, and what each request still finds.
 */
export function simulate(requests: readonly Spending[]): {
  reached: Reached[];
  exhausted: Map<string, ExhaustedBudget[]>;
} {
  const spent = new Map<string, bigint>();
  const reached = new Map<string, Reached>();
  const exhausted = new Map<string, ExhaustedBudget[]>();
  for (const { generationId, at, rules, costMicroUsd, by, isCharged, left } of requests) {
    const budgets = rules.filter(isCharged).map((rule) => budgetOf(rule, at));
    const mark = (budget: Budget) => {
      if (!reached.has(budget.id)) reached.set(budget.id, { budget, at, generationId, stopped: 0 });
    };
    const empty = budgets
      .filter(({ id, rule }) => (spent.get(id) ?? 0n) >= rule.limitMicroUsd)
      .map((budget): ExhaustedBudget => ({
        ...budget,
        spentMicroUsd: spent.get(budget.id) ?? 0n,
        reservedMicroUsd: 0n,
      }));
    empty.forEach(mark);
    if (empty.length > 0) exhausted.set(generationId, empty);
    if (empty.length > 0 && !left(empty).some((endpoint) => endpoint === by)) {
      for (const { id } of left(empty).length === 0 ? empty : []) (reached.get(id) as Reached).stopped += 1;
      continue;
    }
    for (const budget of budgets) {
      if (!by || !counts(budget.rule, by)) continue;
      const sum = (spent.get(budget.id) ?? 0n) + costMicroUsd;
      spent.set(budget.id, sum);
      if (sum >= budget.rule.limitMicroUsd) mark(budget);
    }
  }
  return { reached: [...reached.values()], exhausted };
}
