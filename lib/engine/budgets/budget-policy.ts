import { NIL, v5 } from "uuid";
import type { Endpoint } from "../endpoint";
import { costAtMostMicroUsd } from "../routing/price";
import { toMicroUsd } from "../money";
import type { Exception } from "../policy/exception";
import { raisesOf } from "../policy/exception-policy";
import { sourceOf, type Layer } from "../policy/layers";
import { windowEnd, windowStart } from "../windows";
import type { Budget, BudgetRule, KeyLimit, RequestSize } from "./budget-rule";

/** Whose traffic: the key, and the member who created it. */
export interface Spender {
  keyId: string | null;
  userId: string | null;
  key: KeyLimit;
}

/** A key's limit on itself; null when it has none. */
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

/** What each layer counts by. Who stands under a workspace's default, or under a draft, is held to it as a member and by key. */
const SUBJECTS: Readonly<Record<Layer["scope"], readonly BudgetRule["subject"][]>> = {
  workspace: ["member", "key"],
  member: ["member"],
  key: ["key"],
  draft: ["member", "key"],
};

/** The limits that somebody's requests are under, widest first; two layers of one guardrail share a budget. */
export function budgetRules(layers: readonly Layer[], { keyId, userId, key }: Spender): BudgetRule[] {
  const spenders = { member: userId, key: keyId };
  const ofLayers = layers.flatMap((layer) =>
    SUBJECTS[layer.scope].flatMap((subject) => ruleOf(layer, subject, spenders[subject]) ?? []),
  );
  const own = keyId === null ? null : keyRule(keyId, key);
  const rules = own ? [...ofLayers, own] : ofLayers;
  const account = ({ sourceId, subject, subjectId }: BudgetRule) => `${sourceId} ${subject} ${subjectId}`;
  return [...new Map(rules.toReversed().map((rule) => [account(rule), rule])).values()].toReversed();
}

const raised = (limitMicroUsd: bigint, raises: readonly Exception[]): Pick<BudgetRule, "limitMicroUsd" | "raises"> => ({
  limitMicroUsd: limitMicroUsd + raisedBy(raises),
  raises,
});

/** How much exceptions raise a limit by, micro-USD. */
export const raisedBy = (raises: readonly Exception[]): bigint =>
  raises.reduce((sum, { raiseMicroUsd }) => sum + (raiseMicroUsd ?? 0n), 0n);

function ruleOf(layer: Layer, subject: BudgetRule["subject"], subjectId: string | null): BudgetRule | null {
  const { id, limit_usd, reset_interval, include_byok_in_budgets } = layer.guardrail;
  if (limit_usd === null || subjectId === null) return null;
  return {
    source: sourceOf(layer),
    // A draft that was never stored has spent nothing.
    sourceId: id ?? NIL,
    subject,
    subjectId,
    ...raised(toMicroUsd(limit_usd), raisesOf(layer)),
    interval: reset_interval,
    includesByok: include_byok_in_budgets,
  };
}

/** Any constant: what budgets' ids are made in. */
const NAMESPACE = "6f1c9a0e-5d0b-4f43-9a53-2b1f6a7c8d10";

/** A rule's budget in the window that holds `now`. Everybody computes the same id, so nobody has to look it up. */
export function budgetOf(rule: BudgetRule, now: Date): Budget {
  const { sourceId, subject, subjectId, interval } = rule;
  const start = windowStart(interval, now);
  const id = v5(JSON.stringify([sourceId, subject, subjectId, interval, start]), NAMESPACE);
  return { id, rule, windowStart: start, resetsAt: windowEnd(interval, now) };
}

/** Whether what an endpoint costs counts under a rule. */
export const counts = (rule: BudgetRule, { provider }: Endpoint): boolean =>
  rule.includesByok || provider.ownership === "platform";

/** Between the four characters of an English token and the one of a Chinese: rather too much than too little. */
const CHARACTERS_PER_TOKEN = 2;
/** Of an answer whose length the request doesn't bound. */
const OUTPUT_TOKENS = 4096;

/** The largest limit that can be set: to hold more says nothing more. */
const MOST_MICRO_USD = 10n ** 15n;

/** What a request will hardly exceed, micro-USD; 0 only where everything is free. */
export function estimateMicroUsd(
  prices: Endpoint["prices"],
  { promptCharacters, maxOutputTokens }: RequestSize,
): bigint {
  const estimate = costAtMostMicroUsd(prices, {
    prompt_tokens: Math.max(1, Math.ceil(promptCharacters / CHARACTERS_PER_TOKEN)),
    completion_tokens: Math.max(1, maxOutputTokens ?? OUTPUT_TOKENS),
  });
  return estimate < MOST_MICRO_USD ? estimate : MOST_MICRO_USD;
}
