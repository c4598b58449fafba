import { budgetOf } from "./budget";
import type { BudgetRule, ExhaustedBudget, ReservedBudget } from "./budget-rule";

const METRICS = ["requests", "tokens"] as const;

/** Formats a time as OpenAI's headers do: `120ms`, `6s`, `1m30s`, `1h0m0s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${h > 0 ? `${h}h` : ""}${h > 0 || m > 0 ? `${m}m` : ""}${s}s`;
}

/**
 * Returns the headers that say what is left of the tightest limits of requests and of tokens, named as by OpenAI:
 * `x-ratelimit-remaining-requests`. Of limits with the same rest, the one that resets last. Empty without such limits.
 */
export function rateHeaders(
  reserved: readonly ReservedBudget[],
  exhausted: readonly ExhaustedBudget[],
  now: Date,
): [name: string, value: string][] {
  const states: { rule: BudgetRule; remaining: bigint }[] = [
    ...exhausted.map(({ rule }) => ({ rule, remaining: 0n })),
    ...reserved.map(({ rule, remaining = 0n }) => ({ rule, remaining })),
  ];
  return METRICS.flatMap((metric): [string, string][] => {
    const ofMetric = states.filter(({ rule }) => rule.limit?.metric === metric);
    const [tightest] = ofMetric
      .map((state) => ({ ...state, resetsAt: budgetOf(state.rule, now).resetsAt }))
      .toSorted((a, b) =>
        a.remaining === b.remaining
          ? (b.resetsAt?.getTime() ?? 0) - (a.resetsAt?.getTime() ?? 0)
          : a.remaining < b.remaining
            ? -1
            : 1,
      );
    if (!tightest) return [];
    const { resetsAt } = tightest;
    return [
      [`x-ratelimit-limit-${metric}`, String(tightest.rule.limitMicroUsd)],
      [`x-ratelimit-remaining-${metric}`, String(tightest.remaining)],
      ...(resetsAt
        ? [[`x-ratelimit-reset-${metric}`, durationText(resetsAt.getTime() - now.getTime())] satisfies [string, string]]
        : []),
    ];
  });
}
