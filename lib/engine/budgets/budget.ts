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
import { windowEnd, windowStart } from "../windows";
import type { Budget, BudgetRule, KeyLimit, RequestSize } from "./budget-rule";

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
): BudgetRule | null =>
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
const SUBJECTS: Readonly<Record<Layer["scope"], readonly BudgetRule["subject"][]>> = {
  workspace: ["member", "key"],
  member: ["member"],
  key: ["key"],
  draft: ["member", "key"],
};

/**
 * Returns the limits on a key's or member's requests, broadest first. Two layers with the same guardrail share a
 * budget. The same layers and key give the same list.
 */
export function budgetRules(layers: readonly Layer[], who: BudgetSubjects): readonly BudgetRule[] {
  const known = rulesByLimit.get(who.key);
  if (known?.layers === layers && known.keyId === who.keyId && known.userId === who.userId) return known.rules;
  const rules = compileRules(layers, who);
  rulesByLimit.set(who.key, { layers, keyId: who.keyId, userId: who.userId, rules });
  return rules;
}

/** The last rules by the key's limit. */
const rulesByLimit = new WeakMap<
  KeyLimit,
  Omit<BudgetSubjects, "key"> & { layers: readonly Layer[]; rules: readonly BudgetRule[] }
>();

function compileRules(layers: readonly Layer[], { keyId, userId, key }: BudgetSubjects): BudgetRule[] {
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

function ruleOf(layer: Layer, subject: BudgetRule["subject"], subjectId: string | null): BudgetRule | null {
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

/** Returns a rule's budget in the window that contains `now`. The id is deterministic, so no lookup is needed. */
export function budgetOf(rule: BudgetRule, now: Date): Budget {
  const known = budgets.get(rule);
  if (known && known.windowStart <= now && (known.resetsAt === null || now < known.resetsAt)) return known;
  const budget = newBudget(rule, now);
  budgets.set(rule, budget);
  return budget;
}

function newBudget(rule: BudgetRule, now: Date): Budget {
  const { sourceId, subject, subjectId, interval } = rule;
  const start = windowStart(interval, now);
  const account = JSON.stringify([sourceId, subject, subjectId, interval, start]);
  const id = ids.get(account) ?? v5(account, NAMESPACE);
  ids.set(account, id);
  return { id, rule, windowStart: start, resetsAt: windowEnd(interval, now) };
}

/** True when a rule counts an endpoint's cost. */
export const countsToward = (rule: BudgetRule, { provider }: Endpoint): boolean =>
  rule.includesByok || provider.ownership === "platform";

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

/**
 * Returns the maximum amount a request can charge to a rule: the most expensive candidate counted by it. Free
 * candidates charge nothing.
 */
export function chargeOf(rule: BudgetRule, candidates: readonly Endpoint[], size: RequestSize): bigint {
  const estimates = candidates
    .filter((endpoint) => countsToward(rule, endpoint))
    .map((endpoint) => maxChargeMicroUsd(endpoint, size));
  return estimates.reduce((most, estimate) => (estimate > most ? estimate : most), 0n);
}
