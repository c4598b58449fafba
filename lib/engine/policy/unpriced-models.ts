import type { KeyLimit } from "../budgets/budget-rule";
import { sourceOf, type Layer } from "./layers";
import type { Refusal } from "./routing";

/** Field of refusals and decisions about models without a known price. */
export const UNPRICED_FIELD = "unpriced_model";

/** Terms for models without a known price, besides the limits of guardrails. */
export interface UnpricedTerms {
  /** True when the workspace allows them under spending limits. */
  allowed: boolean;
  /** Spend that the key's own limit counts: the platform's providers or all of them; `none` without a limit. */
  key_limit: "none" | "platform" | "all";
}

/** The terms of a workspace that refuses unpriced models, for a key without its own limit. */
export const REFUSED_UNDER_LIMITS: UnpricedTerms = { allowed: false, key_limit: "none" };

export const unpricedTerms = (allowed: boolean, { limitMicroUsd, includeByokInLimit }: KeyLimit): UnpricedTerms => ({
  allowed,
  key_limit: limitMicroUsd === null ? "none" : includeByokInLimit ? "all" : "platform",
});

export interface PricedEndpoint {
  /** Null when unknown. */
  prices: object | null;
  provider: { ownership: "platform" | "byok" };
}

const OF_KEY: Refusal = {
  scope: "key",
  guardrail_id: null,
  guardrail_name: null,
  revision: null,
  field: UNPRICED_FIELD,
};

/**
 * Returns the spending limits that would count an endpoint's unknown cost, and therefore refuse it
 * (docs/budgets.md#models-without-a-known-price).
 */
export function unpricedRefusals(
  layers: readonly Layer[],
  { prices, provider }: PricedEndpoint,
  { allowed, key_limit }: UnpricedTerms,
): Refusal[] {
  if (prices !== null || allowed) return [];
  const counts = (includesByok: boolean) => includesByok || provider.ownership === "platform";
  return [
    ...layers
      .filter(({ guardrail }) => guardrail.limit_usd !== null && counts(guardrail.include_byok_in_budgets))
      .map((layer) => ({ ...sourceOf(layer), field: UNPRICED_FIELD })),
    ...(key_limit !== "none" && counts(key_limit === "all") ? [OF_KEY] : []),
  ];
}
