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
  /** Spending limits of the organization that count the request; absent for none. */
  limits?: readonly LimitTerm[] | undefined;
}

/** What a spending limit of the organization counts. */
export interface LimitTerm {
  scope: "organization" | "workspace";
  spend: "platform" | "all";
  /** The model or provider of a limit on one. */
  subject?: "model" | "provider" | undefined;
  subject_id?: string | undefined;
}

/** The terms of a workspace that refuses unpriced models, for a key without its own limit. */
export const REFUSED_UNDER_LIMITS: UnpricedTerms = { allowed: false, key_limit: "none" };

export const unpricedTerms = (
  allowed: boolean,
  { limitMicroUsd, includeByokInLimit }: KeyLimit,
  limits: readonly LimitTerm[] = [],
): UnpricedTerms => ({
  allowed,
  key_limit: limitMicroUsd === null ? "none" : includeByokInLimit ? "all" : "platform",
  ...(limits.length > 0 && { limits }),
});

export interface PricedEndpoint {
  /** Null when unknown. */
  prices: object | null;
  model: { slug: string };
  provider: { slug: string; ownership: "platform" | "byok" };
}

const ofScope = (scope: Refusal["scope"]): Refusal => ({
  scope,
  guardrail_id: null,
  guardrail_name: null,
  revision: null,
  field: UNPRICED_FIELD,
});

const countsUnpriced = ({ subject, subject_id }: LimitTerm, { model, provider }: PricedEndpoint): boolean =>
  subject === undefined || (subject === "model" ? model : provider).slug === subject_id;

/**
 * Returns the spending limits that would count an endpoint's unknown cost, and therefore refuse it
 * (docs/budgets.md#models-without-a-known-price).
 */
export function unpricedRefusals(
  layers: readonly Layer[],
  endpoint: PricedEndpoint,
  { allowed, key_limit, limits = [] }: UnpricedTerms,
): Refusal[] {
  const { prices, provider } = endpoint;
  if (prices !== null || allowed) return [];
  const counts = (includesByok: boolean) => includesByok || provider.ownership === "platform";
  return [
    ...layers
      .filter(({ guardrail }) => guardrail.limit_usd !== null && counts(guardrail.include_byok_in_budgets))
      .map((layer) => ({ ...sourceOf(layer), field: UNPRICED_FIELD })),
    ...(key_limit !== "none" && counts(key_limit === "all") ? [ofScope("key")] : []),
    ...[
      ...new Set(
        limits
          .filter((term) => counts(term.spend === "all") && countsUnpriced(term, endpoint))
          .map(({ scope }) => scope),
      ),
    ].map(ofScope),
  ];
}
