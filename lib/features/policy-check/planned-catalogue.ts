import type { Endpoint } from "../../engine/endpoint";
import type { EndpointFields } from "../../records/models/contract";
import { defaultUpstreamModel } from "../../records/models/endpoints";
import { vendorOf } from "../../records/models/vendor";
import type { PlannedState } from "./contract";

type Provider = Endpoint["provider"];

/**
 * Returns the endpoints of the named models after applying planned providers and models, which replace stored ones of
 * the same slug. `stored` are the current endpoints of these models, `providers` all stored providers.
 */
export function plannedEndpoints(
  stored: readonly Endpoint[],
  providers: readonly Provider[],
  { providers: plannedProviders = [], models: plannedModels = [] }: Pick<PlannedState, "providers" | "models">,
  names: readonly string[],
): Endpoint[] {
  const bySlug = new Map(providers.map((provider) => [provider.slug, provider]));
  for (const planned of plannedProviders)
    bySlug.set(planned.slug, { ...planned, id: bySlug.get(planned.slug)?.id ?? planned.slug, name: planned.slug });
  const isReplaced = new Set(plannedModels.map(({ slug }) => slug));
  const kept = stored.filter(({ model }) => !isReplaced.has(model.slug));
  const added = plannedModels
    .filter(({ slug, canonical_slug = slug }) => names.includes(slug) || names.includes(canonical_slug))
    .flatMap((model) => endpointsOf(model, bySlug));
  return [
    ...kept.map((endpoint) => ({ ...endpoint, provider: bySlug.get(endpoint.provider.slug) ?? endpoint.provider })),
    ...added,
  ];
}

function endpointsOf(
  { slug, endpoints, ...fields }: NonNullable<PlannedState["models"]>[number],
  providers: ReadonlyMap<string, Provider>,
): Endpoint[] {
  const upstreamModelOf = ({ provider, upstream_model }: Pick<EndpointFields, "provider" | "upstream_model">) =>
    upstream_model ?? defaultUpstreamModel(slug, { slug: provider, isBuiltIn: false });
  const served = endpoints.map((one) => ({ provider: one.provider, upstreamModel: upstreamModelOf(one) }));
  const model = {
    slug,
    canonicalSlug: fields.canonical_slug ?? slug,
    vendor: fields.vendor ?? vendorOf({ slug, endpoints: served }).vendor,
    distillable: fields.distillable ?? null,
    contextLength: fields.context_length ?? null,
    maxOutputTokens: fields.max_output_tokens ?? null,
  };
  return endpoints.flatMap(({ price, ...endpoint }, index): Endpoint[] => {
    const provider = providers.get(endpoint.provider);
    if (!provider) return [];
    return [
      {
        id: `${slug} ${index}`,
        model,
        provider,
        upstreamModel: upstreamModelOf(endpoint),
        prices: price ? pricesOf(price) : null,
        zdr: endpoint.zdr ?? null,
        quantization: endpoint.quantization ?? null,
        supportedParameters: endpoint.supported_parameters ?? null,
        dataRegion: endpoint.data_region ?? "global",
        lifecycle: null,
      },
    ];
  });
}

const pricesOf = ({ prompt, completion, request = "0", ...details }: NonNullable<EndpointFields["price"]>) => ({
  prompt,
  completion,
  request,
  details,
});
