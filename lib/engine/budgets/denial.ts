import type { Decision } from "../decision/contract";
import { ApiError } from "../../platform/api-error";
import { fromMicroUsd } from "../money";
import { asDecided } from "../policy/active-exceptions";
import { ordinaryLimit } from "./lease";
import type { ObservedAction } from "../policy/vocabulary";
import type { BudgetRule, ExhaustedBudget, ReservedBudget } from "./budget-rule";

/** Formats USD with at least cents and at most micro-USD: `$5.00`, `$0.000012`. */
const usd = (microUsd: bigint): string =>
  `$${fromMicroUsd(microUsd)
    .toFixed(6)
    .replace(/0{1,4}$/, "")}`;

const limitOf = ({ interval, limitMicroUsd }: Pick<BudgetRule, "interval" | "limitMicroUsd">): string =>
  `${interval ?? "lifetime"} limit of ${usd(limitMicroUsd)}`;

function describe({ rule, spentMicroUsd, reservedMicroUsd, resetsAt }: ExhaustedBudget): string {
  const whose = rule.source
    ? `guardrail "${rule.source.guardrail_name}" (${rule.source.scope}, counted per ${rule.subject})`
    : "this key";
  const running =
    reservedMicroUsd > 0n
      ? ` and ${usd(reservedMicroUsd)} reserved by running requests (a lower max_tokens reserves less)`
      : "";
  const reset = resetsAt ? `resets at ${resetsAt.toISOString()}` : "never resets";
  return `the ${limitOf(rule)} of ${whose} is reached: ${usd(spentMicroUsd)} spent${running}; ${reset}`;
}

/** Budgets as the API returns them, amounts in USD. */
const toBudget = ({ rule, spentMicroUsd, reservedMicroUsd, windowStart, resetsAt }: ExhaustedBudget) => ({
  scope: rule.source?.scope ?? "key",
  guardrail_id: rule.source?.guardrail_id ?? null,
  guardrail_name: rule.source?.guardrail_name ?? null,
  counted_per: rule.subject,
  limit_usd: fromMicroUsd(rule.limitMicroUsd),
  spend_usd: fromMicroUsd(spentMicroUsd),
  reserved_usd: fromMicroUsd(reservedMicroUsd),
  reset_interval: rule.interval,
  window_start: rule.interval ? windowStart.toISOString() : null,
  resets_at: resetsAt?.toISOString() ?? null,
  include_byok: rule.includesByok,
});

/** A 403 that names guardrail, scope, limit, spend, period and reset time of every exhausted budget (docs/semantics.md#denials). */
export const exhaustedDenial = (exhausted: readonly ExhaustedBudget[]): ApiError =>
  new ApiError(403, `Budget exhausted: ${exhausted.map(describe).join("; ")}`, { budgets: exhausted.map(toBudget) });

/** Returns the decisions of exhausted budgets: they block the request, or exclude the endpoints they would pay for. */
export const exhaustedDecisions = (exhausted: readonly ExhaustedBudget[], action: "block" | "exclude"): Decision[] =>
  exhausted.map(({ rule }) => ({ ...limitDecision(rule), rule: limitOf(rule), action }));

/** Returns the decisions of exceptions that allowed spending beyond a limit, and of limits that are only observed. */
export const raisedDecisions = (held: readonly ReservedBudget[]): Decision[] =>
  held.flatMap(({ rule, isBeyond }): Decision[] => {
    if (!isBeyond) return [];
    const { interval, raises = [] } = rule;
    const limit = limitOf({ interval, limitMicroUsd: ordinaryLimit(rule) });
    if (rule.isObserved)
      return [{ ...limitDecision(rule), rule: limit, action: "would_block" satisfies ObservedAction }];
    return raises.map((exception) => ({ ...limitDecision(rule), rule: limit, ...asDecided(exception, "block") }));
  });

const limitDecision = ({ source, subject }: BudgetRule): Omit<Decision, "rule" | "action"> => ({
  scope: source && source.scope !== "draft" ? source.scope : subject,
  guardrail_id: source?.guardrail_id ?? null,
  guardrail_name: source?.guardrail_name ?? null,
  revision: source?.revision ?? null,
  field: "limit_usd",
  spans: [],
});
