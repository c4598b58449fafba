import { REQUEST_SOURCE, type Layer } from "../policy/layers";
import { REFUSED_UNDER_LIMITS, unpricedRefusals, type UnpricedTerms } from "../policy/unpriced-models";
import { isListed, liftedRefusalsOf, refusalsOf, type LiftedRefusal, type Refusal } from "../policy/routing";
import type { Endpoint } from "../endpoint";
import { unmetPreferences } from "./preferences";
import type { ProviderPreferences } from "../protocols/contracts/provider-preferences-contract";
import { rank, type Measured } from "./ranking";

/** Routing preferences of a request. */
export interface RoutingRequest {
  /** In order of preference. */
  models: readonly string[];
  preferences: ProviderPreferences;
  /** See `suppliedParameters`. */
  parameters: readonly string[];
  /** Deprecated name of the sort's partition: `fallback` means `model`, `sort` means `none`. */
  route?: "fallback" | "sort" | null;
  /** Fields that endpoints of other protocols don't support, by endpoint id; absent when there are none. */
  unconvertible?: Unconvertibles;
  /** True when the request asks the upstream to store its answer, which zero retention excludes. */
  isStored?: boolean;
}

/** Fields of a request that an endpoint's protocol has no counterpart for, such as `tools.0`, by endpoint id. */
export type Unconvertibles = Readonly<Record<string, readonly string[]>>;

/** Inputs of a plan besides the request and the catalogue. */
export interface PlanContext extends Measured {
  layers: readonly Layer[];
  zdrVendors: readonly [string, string, string];
  /** Missing for requests of a key without a limit, in a workspace that refuses unpriced models under limits. */
  unpriced?: UnpricedTerms | undefined;
}

export interface Exclusion {
  model: string;
  provider: string;
  excluded_by: Refusal[];
}

export interface Plan {
  /** Endpoints to try, in order. */
  candidates: Endpoint[];
  /** Endpoints of the requested models that can't be used, each with every reason. */
  excluded: Exclusion[];
  /** Reasons that an exception lifted for a candidate. */
  lifted: (LiftedRefusal & Pick<Exclusion, "model" | "provider">)[];
}

/**
 * Plans the endpoints for a request, in order, from the layers and the request's own preferences
 * (docs/semantics.md#layers).
 */
export function plan(
  { models, preferences, parameters, route, unconvertible = {}, isStored = false }: RoutingRequest,
  endpoints: readonly Endpoint[],
  conditions: PlanContext,
): Plan {
  const ofModels = models.map((name) =>
    endpoints.filter(({ model }) => model.slug === name || model.canonicalSlug === name),
  );
  const [first = [], ...others] = ofModels;
  const named = others.length === 0 ? first : [...new Set(ofModels.flat())];
  const isOrderServed = named.some(({ provider }) => isListed(preferences.order, provider.slug) !== false);
  const refusals = new Map(
    named.map((endpoint) => [
      endpoint,
      [
        ...refusalsOf(conditions.layers, asUsed(endpoint, isStored), conditions.zdrVendors),
        ...unpricedRefusals(conditions.layers, endpoint, conditions.unpriced ?? REFUSED_UNDER_LIMITS),
        ...unmetPreferences(asUsed(endpoint, isStored), preferences, parameters, isOrderServed).map(ofRequest),
        ...(unconvertible[endpoint.id] ?? []).map((field) => ofRequest(`${PROTOCOL_FIELD}${field}`)),
      ],
    ]),
  );
  const isAllowed = (endpoint: Endpoint) => refusals.get(endpoint)?.length === 0;
  const groups = partitionOf(preferences, route) === "none" ? [named] : ofModels;
  const ranked = groups.map((group) => rank(group.filter(isAllowed), preferences, conditions));
  const inOrder = ranked.length === 1 ? (ranked[0] as Endpoint[]) : [...new Set(ranked.flat())];
  const candidates = preferences.allow_fallbacks === false ? withoutFallbacks(inOrder, preferences) : inOrder;
  const chosen = new Set(candidates);
  return {
    candidates,
    lifted: candidates.flatMap((endpoint) =>
      liftedRefusalsOf(conditions.layers, asUsed(endpoint, isStored), conditions.zdrVendors).map((lifted) => ({
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

/** Returns an endpoint as policy judges it: one that is asked to store its answer retains it. */
export const asUsed = (endpoint: Endpoint, isStored: boolean): Endpoint =>
  isStored ? { ...endpoint, zdr: false } : endpoint;

/** Prefix of an exclusion's field when the endpoint's protocol has no counterpart for a field of the request. */
export const PROTOCOL_FIELD = "protocol:";

const ofRequest = (field: string): Refusal => ({ ...REQUEST_SOURCE, field });

/** Applies `allow_fallbacks: false`: keeps the providers of `order` when given, else only the first endpoint. */
const withoutFallbacks = (endpoints: readonly Endpoint[], { order }: ProviderPreferences): Endpoint[] =>
  order?.length ? endpoints.filter(({ provider }) => isListed(order, provider.slug)) : endpoints.slice(0, 1);

const partitionOf = ({ sort }: ProviderPreferences, route: RoutingRequest["route"]): "model" | "none" =>
  (typeof sort === "object" ? sort?.partition : null) ?? (route === "sort" ? "none" : "model");
