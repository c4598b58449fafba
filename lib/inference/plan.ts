import type { PROTOCOLS } from "../generations/contract";
import type { ProviderPreferences } from "./provider-preferences-contract";

export type Protocol = (typeof PROTOCOLS)[number];

/** One way to reach a model. Prices are decimal texts: USD per million tokens, `request` USD per request. */
export interface Endpoint {
  id: string;
  model: { slug: string; canonicalSlug: string; vendor: string; distillable: boolean | null };
  provider: { id: string; slug: string; name: string; protocol: Protocol; zdr: boolean; trains: boolean; ownership: "platform" | "byok" };
  upstreamModel: string;
  prices: { prompt: string; completion: string; request: string };
  zdr: boolean | null;
  quantization: string | null;
  /** Request fields that the upstream knows; null when nobody said. */
  supportedParameters: string[] | null;
}

/** What a request says of where it may go: models in order of preference, and the provider preferences. */
export interface Wishes {
  models: readonly string[];
  preferences: ProviderPreferences;
}

export interface Exclusion {
  model: string;
  provider: string;
  excluded_by: { scope: "request"; guardrail_id: null; field: string }[];
}

export interface Plan {
  /** Endpoints to try, in this order. */
  candidates: Endpoint[];
  /** Endpoints of the models asked for that may not be used, and why. */
  excluded: Exclusion[];
}

/** Which endpoints answer a request, in which order: routing-api.md "Provider preferences". */
export function plan({ models, preferences }: Wishes, endpoints: readonly Endpoint[]): Plan {
  const ofModels = models.map((name) => endpoints.filter(({ model }) => model.slug === name || model.canonicalSlug === name));
  const named = [...new Set(ofModels.flat())];
  const judged = named.map((endpoint) => ({ endpoint, fields: refusals(endpoint, preferences, named) }));
  const allowed = new Set(judged.filter(({ fields }) => fields.length === 0).map(({ endpoint }) => endpoint));
  const ranked = ranking(preferences, ofModels).filter((endpoint) => allowed.has(endpoint));
  return {
    candidates: preferences.allow_fallbacks === false ? ranked.slice(0, 1) : ranked,
    excluded: judged
      .filter(({ fields }) => fields.length > 0)
      .map(({ endpoint, fields }) => ({
        model: endpoint.model.slug,
        provider: endpoint.provider.slug,
        excluded_by: fields.map((field) => ({ scope: "request", guardrail_id: null, field })),
      })),
  };
}

/** The preferences that an endpoint doesn't meet. */
function refusals({ provider, ...endpoint }: Endpoint, preferences: ProviderPreferences, named: readonly Endpoint[]): string[] {
  const { only, ignore, order, max_price: price = {}, quantizations } = preferences;
  const isDearer = (field: "prompt" | "completion" | "request") => Number(endpoint.prices[field]) > Number(price[field] ?? Infinity);
  const rules: Record<string, boolean> = {
    only: !!only && !only.includes(provider.slug),
    ignore: !!ignore && ignore.includes(provider.slug),
    order: !!order && order.length > 0 && !named.some((other) => order.includes(other.provider.slug)),
    data_collection: preferences.data_collection === "deny" && provider.trains,
    zdr: preferences.zdr === true && !(endpoint.zdr ?? provider.zdr),
    quantizations: !!quantizations && !quantizations.some((level) => level === (endpoint.quantization ?? "unknown")),
    max_price: isDearer("prompt") || isDearer("completion") || isDearer("request"),
  };
  return Object.keys(rules).filter((field) => rules[field]);
}

/** Models in the order asked for, then `order`, then the cheaper one; across models when the sort knows no partition. */
function ranking({ order, sort }: ProviderPreferences, ofModels: readonly (readonly Endpoint[])[]): Endpoint[] {
  const place = ({ provider }: Endpoint) => {
    const index = order?.indexOf(provider.slug) ?? -1;
    return index === -1 ? Infinity : index;
  };
  const cost = ({ prices }: Endpoint) => Number(prices.prompt) + Number(prices.completion);
  const compare = (a: Endpoint, b: Endpoint) => (place(a) === place(b) ? cost(a) - cost(b) : place(a) - place(b));
  const isAcrossModels = typeof sort === "object" && sort?.partition === "none";
  const groups = isAcrossModels ? [ofModels.flat()] : ofModels;
  return [...new Set(groups.flatMap((group) => group.toSorted(compare)))];
}
