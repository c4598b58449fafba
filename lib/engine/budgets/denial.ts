import type { Decision } from "../decision/contract";
import { ApiError } from "../../platform/api-error";
import type { Endpoint } from "../endpoint";
import { fromMicroUsd } from "../money";
import { asDecided } from "../policy/active-exceptions";
import { ordinaryLimit } from "./lease";
import type { ObservedAction } from "../policy/vocabulary";
import { chargeOf } from "./budget";
import type { BudgetRule, ExhaustedBudget, RequestSize, ReservedBudget } from "./budget-rule";
import { metricOf } from "./limit";
import { LIMIT_FIELDS } from "./vocabulary";
import { amountText, limitText, usd } from "./limit-text";

const isSpend = ({ rule }: ExhaustedBudget): boolean => metricOf(rule) === "spend";

function whose(rule: BudgetRule): string {
  if (rule.limit) return limitText(rule, rule.limit);
  return rule.source
    ? `guardrail "${rule.source.guardrail_name}" (${rule.source.scope}, counted per ${rule.subject})`
    : "this key";
}

function describe(budget: ExhaustedBudget): string {
  const { rule, spentMicroUsd, reservedMicroUsd, resetsAt } = budget;
  const reached = `the ${amountText(rule)} of ${whose(rule)} is reached`;
  const reset = resetsAt ? `resets at ${resetsAt.toISOString()}` : "never resets";
  if (metricOf(rule) === "concurrent_requests") return reached;
  if (!isSpend(budget)) return `${reached}; ${reset}`;
  const running =
    reservedMicroUsd > 0n
      ? ` and ${usd(reservedMicroUsd)} reserved by running requests (a lower max_tokens reserves less)`
      : "";
  return `${reached}: ${usd(spentMicroUsd)} spent${running}; ${reset}`;
}

const toWindow = ({ rule, windowStart, resetsAt }: ExhaustedBudget) => ({
  reset_interval: rule.interval,
  window_start: rule.interval ? windowStart.toISOString() : null,
  resets_at: resetsAt?.toISOString() ?? null,
});

const toLimit = ({ limit, subjectId }: BudgetRule) =>
  limit && { limit_id: limit.id, limit_name: limit.name, subject_id: subjectId === "" ? null : subjectId };

/** Budgets as the API returns them, amounts in USD. */
const toBudget = (budget: ExhaustedBudget) => {
  const { rule, spentMicroUsd, reservedMicroUsd } = budget;
  return {
    scope: rule.source?.scope ?? (rule.limit ? scopeOf(rule) : "key"),
    guardrail_id: rule.source?.guardrail_id ?? null,
    guardrail_name: rule.source?.guardrail_name ?? null,
    ...toLimit(rule),
    counted_per: rule.subject,
    limit_usd: fromMicroUsd(rule.limitMicroUsd),
    spend_usd: fromMicroUsd(spentMicroUsd),
    reserved_usd: fromMicroUsd(reservedMicroUsd),
    ...toWindow(budget),
    include_byok: rule.includesByok,
  };
};

/** Limits of requests and tokens as the API returns them. */
const toRate = (budget: ExhaustedBudget) => ({
  ...toLimit(budget.rule),
  counted_per: budget.rule.subject,
  metric: metricOf(budget.rule),
  limit: Number(budget.rule.limitMicroUsd),
  used: Number(budget.spentMicroUsd),
  reserved: Number(budget.reservedMicroUsd),
  ...toWindow(budget),
});

/** Time after which a request that was one too many may be sent again, in seconds. */
const SOON_SECONDS = 1;

/** The exhausted budgets that exclude one endpoint. */
type Excluding = readonly ExhaustedBudget[];

/** Returns the exhausted budgets that exclude each endpoint. */
export const exhaustedAt = (
  endpoints: readonly Endpoint[],
  exhausted: readonly ExhaustedBudget[],
  size: RequestSize,
): Excluding[] => endpoints.map((endpoint) => exhausted.filter(({ rule }) => chargeOf(rule, [endpoint], size) > 0n));

/** True for what excludes an endpoint that is free again once limits of requests or tokens reset. */
const resets = (budgets: Excluding): boolean => budgets.length > 0 && !budgets.some(isSpend);

/** Returns the seconds until the limits of one endpoint have reset. */
function secondsUntilFree(budgets: Excluding, now: Date): number {
  const secondsOf = ({ resetsAt }: ExhaustedBudget) =>
    resetsAt ? Math.ceil((resetsAt.getTime() - now.getTime()) / 1000) : SOON_SECONDS;
  return Math.max(SOON_SECONDS, ...budgets.map(secondsOf));
}

/** Returns the budgets of the endpoint that is free again first; all of them if waiting frees none. */
export function awaited(byEndpoint: readonly Excluding[], now: Date): Excluding {
  const [first = byEndpoint.flat()] = byEndpoint
    .filter(resets)
    .toSorted((a, b) => secondsUntilFree(a, now) - secondsUntilFree(b, now));
  return first;
}

/** The budget that resets last is the one that a client has to wait for. */
const lastReset = ({ resetsAt }: ExhaustedBudget): number => resetsAt?.getTime() ?? Infinity;

/** Returns a budget whose limit and spend include what is carried over. */
const withCarried = (budget: ExhaustedBudget): ExhaustedBudget => {
  const { rule, spentMicroUsd, carriedMicroUsd = 0n } = budget;
  return {
    ...budget,
    rule: { ...rule, limitMicroUsd: rule.limitMicroUsd + carriedMicroUsd },
    spentMicroUsd: spentMicroUsd + carriedMicroUsd,
  };
};

/**
 * Returns the error that names every exhausted budget, the one that resets last first (docs/semantics.md#denials): a 429 if
 * an endpoint is free again once limits of requests or tokens reset, a 403 otherwise.
 * @param byEndpoint What excludes each endpoint.
 * @param now Null if nobody waits.
 */
export function exhaustedDenial(
  exhausted: readonly ExhaustedBudget[],
  byEndpoint: readonly Excluding[] = [exhausted],
  now: Date | null = null,
): ApiError {
  const ordered = exhausted
    .map(withCarried)
    .toSorted((a, b) => (lastReset(a) === lastReset(b) ? 0 : lastReset(b) - lastReset(a)));
  const [spends, rates] = [ordered.filter(isSpend), ordered.filter((budget) => !isSpend(budget))];
  const metadata = {
    ...((spends.length > 0 || rates.length === 0) && { budgets: spends.map(toBudget) }),
    ...(rates.length > 0 && { limits: rates.map(toRate) }),
  };
  if (!byEndpoint.some(resets))
    return new ApiError(403, `Budget exhausted: ${ordered.map(describe).join("; ")}`, metadata);
  const seconds = now && secondsUntilFree(awaited(byEndpoint, now), now);
  return new ApiError(
    429,
    `Rate limit exceeded: ${ordered.map(describe).join("; ")}`,
    { ...metadata, ...(seconds !== null && { retry_after: seconds }) },
    seconds === null ? undefined : { "retry-after": String(seconds) },
  );
}

/** Returns the decisions of exhausted budgets: they block the request, or exclude the endpoints they would pay for. */
export const exhaustedDecisions = (exhausted: readonly ExhaustedBudget[], action: "block" | "exclude"): Decision[] =>
  exhausted.map(({ rule }) => ({ ...limitDecision(rule), rule: ruleText(rule), action }));

/**
 * Returns the decisions of exceptions that allowed spending beyond a limit, and of limits that are only observed.
 * @param endpoints The endpoints that may serve the request.
 */
export const raisedDecisions = (
  held: readonly ReservedBudget[],
  endpoints: readonly Endpoint[],
  size: RequestSize,
): Decision[] =>
  held.flatMap(({ rule, isBeyond }): Decision[] => {
    if (!isBeyond) return [];
    const { interval, raises = [] } = rule;
    const limit = amountText({ interval, limitMicroUsd: ordinaryLimit(rule) });
    if (rule.isObserved) {
      const leavesSome = endpoints.some((endpoint) => chargeOf(rule, [endpoint], size) === 0n);
      const action: ObservedAction = leavesSome ? "would_exclude" : "would_block";
      return [{ ...limitDecision(rule), rule: limit, action }];
    }
    return raises.map((exception) => ({ ...limitDecision(rule), rule: limit, ...asDecided(exception, "block") }));
  });

const ruleText = (rule: BudgetRule): string =>
  rule.limit ? `${amountText(rule)} of ${limitText(rule, rule.limit)}` : amountText(rule);

/** Where a limit applies; limits of guardrails and keys have their own scope. */
const scopeOf = ({ limit }: BudgetRule): "workspace" | "organization" =>
  limit?.workspaceId ? "workspace" : "organization";

const ofLayer = ({ source, subject }: BudgetRule): Decision["scope"] =>
  source && source.scope !== "draft" ? source.scope : subject === "member" ? "member" : "key";

const limitDecision = (rule: BudgetRule): Omit<Decision, "rule" | "action"> => ({
  scope: rule.limit ? scopeOf(rule) : ofLayer(rule),
  guardrail_id: rule.source?.guardrail_id ?? null,
  guardrail_name: rule.source?.guardrail_name ?? null,
  revision: rule.source?.revision ?? null,
  field: LIMIT_FIELDS[metricOf(rule)],
  spans: [],
});
