import { LRUCache } from "lru-cache";
import { NIL, v5 } from "uuid";
import type { Endpoint } from "../endpoint";
import { appliesNewerName } from "../protocols/output-limit";
import { maxCostMicroUsd } from "../routing/price";
import { correctedBy } from "../tokens/billed-ratio";
import { extraImageTokens, modelMaxOutput } from "../model-limits";
import { toMicroUsd } from "../money";
import type { Exception } from "../policy/exception";
import { raisesOf } from "../policy/active-exceptions";
import { isObserving, sourceOf, type Layer } from "../policy/layers";
import { windowAt, windowBefore, type Cycle } from "../cycles";
import type { Budget, BudgetRule, KeyLimit, PolicyRule, RequestSize } from "./budget-rule";
import { countsEndpoint, metricOf } from "./limit";

/** The key that sends requests, and the member who created it. */
export interface BudgetSubjects {
  keyId: string | null;
  userId: string | null;
  key: KeyLimit;
}

/** Returns a key's own limit as a rule; null without one. */
export const keyRule = (
  keyId: string,
  { limitMicroUsd, limitReset, includeByokInLimit, raises = [] }: KeyLimit,
): PolicyRule | null =>
  limitMicroUsd === null
    ? null
    : {
        source: null,
        sourceId: keyId,
        subject: "key",
        subjectId: keyId,
        ...raised(limitMicroUsd, raises),
        interval: limitReset,
        includesByok: includeByokInLimit,
      };

/** Subjects that each layer counts by. A workspace default and a draft count per member and per key. */
const SUBJECTS: Readonly<Record<Layer["scope"], readonly PolicyRule["subject"][]>> = {
  workspace: ["member", "key"],
  member: ["member"],
  key: ["key"],
  draft: ["member", "key"],
};

/**
 * Returns the limits on a key's or member's requests, broadest first. Two layers with the same guardrail share a
 * budget. The same layers and key give the same list.
 */
export function budgetRules(layers: readonly Layer[], who: BudgetSubjects): readonly PolicyRule[] {
  const known = rulesByLimit.get(who.key);
  if (known?.layers === layers && known.keyId === who.keyId && known.userId === who.userId) return known.rules;
  const rules = compileRules(layers, who);
  rulesByLimit.set(who.key, { layers, keyId: who.keyId, userId: who.userId, rules });
  return rules;
}

/** The last rules by the key's limit. */
const rulesByLimit = new WeakMap<
  KeyLimit,
  Omit<BudgetSubjects, "key"> & { layers: readonly Layer[]; rules: readonly PolicyRule[] }
>();

function compileRules(layers: readonly Layer[], { keyId, userId, key }: BudgetSubjects): PolicyRule[] {
  const subjectIds = { member: userId, key: keyId };
  const ofLayers = layers.flatMap((layer) =>
    SUBJECTS[layer.scope].flatMap((subject) => ruleOf(layer, subject, subjectIds[subject]) ?? []),
  );
  const own = keyId === null ? null : keyRule(keyId, key);
  const rules = own ? [...ofLayers, own] : ofLayers;
  const account = ({ sourceId, subject, subjectId }: BudgetRule) => `${sourceId} ${subject} ${subjectId}`;
  return [...new Map(rules.toReversed().map((rule) => [account(rule), rule])).values()].toReversed();
}

const raised = (limitMicroUsd: bigint, raises: readonly Exception[]): Pick<BudgetRule, "limitMicroUsd" | "raises"> => ({
  limitMicroUsd: limitMicroUsd + totalRaise(raises),
  raises,
});

/** Returns the total amount by which exceptions raise a limit, in micro-USD. */
export const totalRaise = (raises: readonly Exception[]): bigint =>
  raises.reduce((sum, { raiseMicroUsd }) => sum + (raiseMicroUsd ?? 0n), 0n);

/** More than anybody spends, and far below the range of the database. */
const BOUNDLESS_MICRO_USD = 10n ** 18n;

/** The raise of a limit that is only observed. */
const BOUNDLESS: Exception = {
  id: NIL,
  keyId: null,
  userId: null,
  guardrailId: null,
  kind: "raise_limit",
  field: null,
  rule: null,
  raiseMicroUsd: BOUNDLESS_MICRO_USD,
  phrase: null,
  reason: "",
  createdAt: new Date(0),
  expiresAt: new Date(8.64e15),
  endedAt: null,
};

/** Returns a limit that refuses nothing; spend beyond it counts as spend beyond a raised limit. */
const observed = (limitMicroUsd: bigint): Pick<BudgetRule, "limitMicroUsd" | "raises" | "isObserved"> => ({
  limitMicroUsd: limitMicroUsd + BOUNDLESS_MICRO_USD,
  raises: [BOUNDLESS],
  isObserved: true,
});

function ruleOf(layer: Layer, subject: PolicyRule["subject"], subjectId: string | null): PolicyRule | null {
  const { id, limit_usd, reset_interval, include_byok_in_budgets } = layer.guardrail;
  if (limit_usd === null || subjectId === null) return null;
  return {
    source: sourceOf(layer),
    // An unsaved draft has no spend.
    sourceId: id ?? NIL,
    subject,
    subjectId,
    ...(isObserving(layer)
      ? observed(toMicroUsd(limit_usd) + totalRaise(raisesOf(layer)))
      : raised(toMicroUsd(limit_usd), raisesOf(layer))),
    interval: reset_interval,
    includesByok: include_byok_in_budgets,
  };
}

/** Arbitrary constant: the namespace of budget ids. */
const NAMESPACE = "6f1c9a0e-5d0b-4f43-9a53-2b1f6a7c8d10";

/** Budget ids by account. Hashing is most of the cost of `budgetOf`. */
const ids = new LRUCache<string, string>({ max: 20_000 });

/** The last budget of each rule. */
const budgets = new WeakMap<BudgetRule, Budget>();

/** The cycles of guardrails and keys, which are those of the UTC calendar. */
const UTC_CYCLES = new Map<BudgetRule["interval"], Cycle>(
  (["daily", "weekly", "monthly", null] as const).map((interval) => [
    interval,
    { interval, timeZone: "UTC", hour: 0, weekday: 1, monthDay: 1 },
  ]),
);

const cycleOf = ({ limit, interval }: BudgetRule): Cycle => {
  const cycle = limit?.cycle ?? UTC_CYCLES.get(interval);
  if (!cycle) throw new Error("only limits have other intervals");
  return cycle;
};

/** Returns a rule's budget in the window that contains `now`. The id is deterministic, so no lookup is needed. */
export function budgetOf<Rule extends BudgetRule>(rule: Rule, now: Date): Budget<Rule> {
  const known = budgets.get(rule);
  if (known && known.windowStart <= now && (known.resetsAt === null || now < known.resetsAt))
    return known as Budget<Rule>;
  const budget = newBudget(rule, now);
  budgets.set(rule, budget);
  return budget;
}

function newBudget<Rule extends BudgetRule>(rule: Rule, now: Date): Budget<Rule> {
  const window = windowAt(cycleOf(rule), now);
  const before = rule.limit?.carriesSince ? windowBefore(rule.limit.cycle, window) : null;
  return {
    id: budgetId(rule, window.start),
    rule,
    windowStart: window.start,
    resetsAt: window.end,
    ...(before && rule.limit?.carriesSince && before.start >= rule.limit.carriesSince
      ? { carriesFrom: budgetId(rule, before.start) }
      : {}),
  };
}

function budgetId({ sourceId, subject, subjectId, interval }: BudgetRule, start: Date): string {
  const account = JSON.stringify([sourceId, subject, subjectId, interval, start]);
  const id = ids.get(account) ?? v5(account, NAMESPACE);
  ids.set(account, id);
  return id;
}

/** True when a rule counts an endpoint's cost. */
export const countsToward = (rule: BudgetRule, endpoint: Endpoint): boolean =>
  (rule.includesByok || endpoint.provider.ownership === "platform") && countsEndpoint(rule, endpoint);

/** The highest possible limit; larger reservations make no difference. */
const MOST_MICRO_USD = 10n ** 15n;

/** Returns an upper bound of the output tokens of one response. */
export function maxOutputAt(endpoint: Endpoint, { maxOutputTokens, isLimitIgnorable }: RequestSize): number {
  const { model, upstreamModel } = endpoint;
  if (maxOutputTokens !== null && (!isLimitIgnorable || appliesNewerName(endpoint))) return maxOutputTokens;
  return Math.max(maxOutputTokens ?? 0, modelMaxOutput(upstreamModel, model));
}

/** Returns an upper bound of a request's tokens at an endpoint. */
export function maxTokensAt(
  endpoint: Endpoint,
  size: RequestSize,
): { prompt_tokens: number; completion_tokens: number } {
  const { id, model, upstreamModel } = endpoint;
  const { prompt, images, inputs, choices, predictedTokens, ratios } = size;
  const promptTokens = correctedBy(ratios.get(id), prompt).most + images * extraImageTokens(upstreamModel);
  return {
    prompt_tokens: Math.max(1, Math.min(promptTokens, (model.contextLength ?? Infinity) * inputs)),
    completion_tokens: (maxOutputAt(endpoint, size) + predictedTokens) * choices,
  };
}

/** Returns an upper bound of a request's cost at an endpoint in micro-USD; 0 only when everything is free, or unpriced. */
export function maxChargeMicroUsd(endpoint: Endpoint, size: RequestSize): bigint {
  if (endpoint.prices === null) return 0n;
  const { modalities, serviceTier, webSearches } = size;
  const tokens = maxTokensAt(endpoint, size);
  const most = maxCostMicroUsd(endpoint.prices, tokens, modalities, serviceTier, webSearches);
  return most < MOST_MICRO_USD ? most : MOST_MICRO_USD;
}

/** Returns an upper bound of what a rule counts of a request at an endpoint. */
function maxAmountAt(rule: BudgetRule, endpoint: Endpoint, size: RequestSize): bigint {
  switch (metricOf(rule)) {
    case "spend":
      return maxChargeMicroUsd(endpoint, size);
    case "tokens": {
      const { prompt_tokens, completion_tokens } = maxTokensAt(endpoint, size);
      const most = prompt_tokens + completion_tokens;
      return BigInt(Math.ceil(Math.min(most, MOST_TOKENS)));
    }
    case "requests":
    case "concurrent_requests":
      return 1n;
  }
}

/** More than any model writes. */
const MOST_TOKENS = 1e12;

/**
 * Returns the maximum amount a request can charge to a rule: that of the candidate counted by it with the highest. Free
 * candidates charge nothing.
 */
export function chargeOf(rule: BudgetRule, candidates: readonly Endpoint[], size: RequestSize): bigint {
  const estimates = candidates
    .filter((endpoint) => countsToward(rule, endpoint))
    .map((endpoint) => maxAmountAt(rule, endpoint, size));
  return estimates.reduce((most, estimate) => (estimate > most ? estimate : most), 0n);
}

/** What an attempt of a request was billed: its cost in micro-USD, and its tokens. */
export interface BilledAttempt {
  endpoint: Endpoint;
  costMicroUsd: bigint;
  tokens: number;
}

/**
 * Returns what a rule counts of a request that ended.
 * @param costMicroUsd The cost of the request.
 * @param endpoint The endpoint that responded, or the last that was tried; null when none was.
 */
export function settledAmount(
  rule: BudgetRule,
  {
    costMicroUsd,
    endpoint,
    attempts,
  }: { costMicroUsd: bigint; endpoint: Endpoint | null; attempts: readonly BilledAttempt[] },
): bigint {
  if (!rule.limit) return endpoint && countsToward(rule, endpoint) ? costMicroUsd : 0n;
  const counted = attempts.filter((attempt) => countsToward(rule, attempt.endpoint));
  switch (rule.limit.metric) {
    case "spend":
      return counted.reduce((sum, attempt) => sum + attempt.costMicroUsd, 0n);
    case "tokens":
      return BigInt(counted.reduce((sum, attempt) => sum + attempt.tokens, 0));
    case "requests":
      return counted.length > 0 ? 1n : 0n;
    case "concurrent_requests":
      return 0n;
  }
}
