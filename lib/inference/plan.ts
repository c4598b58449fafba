import { REQUEST_SOURCE, type Layer } from "../policy/layers";
import { isListed, liftedRefusalsOf, refusalsOf, type LiftedRefusal, type Refusal } from "../policy/routing-policy";
import type { Endpoint } from "./endpoint";
import { unmetPreferences } from "./preferences";
import type { ProviderPreferences } from "./provider-preferences-contract";
import { ranked, type Measured } from "./ranking";

/** What a request says of where it may go. */
export interface Wishes {
  /** In order of preference. */
  models: readonly string[];
  preferences: ProviderPreferences;
  /** See `suppliedParameters`. */
  parameters: readonly string[];
  /** The deprecated name of the sort's partition: `fallback` is `model`, `sort` is `none`. */
  route?: "fallback" | "sort" | null;
}

/** What a plan depends on besides the request and the catalogue. */
export interface Conditions extends Measured {
  layers: readonly Layer[];
  zdrVendors: readonly [string, string, string];
}

export interface Exclusion {
  model: string;
  provider: string;
  excluded_by: Refusal[];
}

export interface Plan {
  /** Endpoints to try, in this order. */
  candidates: Endpoint[];
  /** The other endpoints of the models asked for, and everything that keeps the request from them. */
  excluded: Exclusion[];
  /** What would have kept the request from candidates, had no exception lifted it. */
  lifted: (LiftedRefusal & Pick<Exclusion, "model" | "provider">)[];
}

/** Which endpoints answer a request, in which order: layers and the request's own preferences together (contract.md section 6). */
export function plan(
  { models, preferences, parameters, route }: Wishes,
  endpoints: readonly Endpoint[],
  conditions: Conditions,
): Plan {
  const ofModels = models.map((name) =>
    endpoints.filter(({ model }) => model.slug === name || model.canonicalSlug === name),
  );
  const named = [...new Set(ofModels.flat())];
  const isOrderServed = named.some(({ provider }) => isListed(preferences.order, provider.slug) !== false);
  const refusals = new Map(
    named.map((endpoint) => [
      endpoint,
      [
        ...refusalsOf(conditions.layers, endpoint, conditions.zdrVendors),
        ...unmetPreferences(endpoint, preferences, parameters, isOrderServed).map(ofRequest),
      ],
    ]),
  );
  const isAllowed = (endpoint: Endpoint) => refusals.get(endpoint)?.length === 0;
  const groups = partitionOf(preferences, route) === "none" ? [named] : ofModels;
  const inOrder = [...new Set(groups.flatMap((group) => ranked(group.filter(isAllowed), preferences, conditions)))];
  const candidates = preferences.allow_fallbacks === false ? withoutFallbacks(inOrder, preferences) : inOrder;
  const chosen = new Set(candidates);
  return {
    candidates,
    lifted: candidates.flatMap((endpoint) =>
      liftedRefusalsOf(conditions.layers, endpoint, conditions.zdrVendors).map((lifted) => ({
        model: endpoint.model.slug,
        provider: endpoint.provider.slug,
        ...lifted,
      })),
    ),
    excluded: named
      .filter((endpoint) => !chosen.has(endpoint))
      .map((endpoint) => ({
        model: endpoint.model.slug,
        provider: endpoint.provider.slug,
        excluded_by: isAllowed(endpoint) ? [ofRequest("allow_fallbacks")] : (refusals.get(endpoint) ?? []),
      })),
  };
}

const ofRequest = (field: string): Refusal => ({ ...REQUEST_SOURCE, field });

/** The providers of `order` are the caller's own choice; without it the first alone is tried. */
const withoutFallbacks = (endpoints: readonly Endpoint[], { order }: ProviderPreferences): Endpoint[] =>
  order?.length ? endpoints.filter(({ provider }) => isListed(order, provider.slug)) : endpoints.slice(0, 1);

const partitionOf = ({ sort }: ProviderPreferences, route: Wishes["route"]): "model" | "none" =>
  (typeof sort === "object" ? sort?.partition : null) ?? (route === "sort" ? "none" : "model");
