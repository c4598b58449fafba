import "server-only";
import { isDeepStrictEqual } from "node:util";
import { Prisma } from "../../../prisma/generated/client";
import { json } from "../../platform/database/json";
import type { Endpoint as PlanEndpoint } from "../../engine/endpoint";
import { lifecycleOf } from "../catalogue/lifecycle";
import { vendorOf } from "../catalogue/catalogue";
import type { UpstreamProtocol } from "../../engine/protocols/vocabulary";
import type { EndpointFields, Model, UpdateModelBody } from "./contract";
import type { PriceDetails } from "../../engine/price-contract";
import type { FactSource } from "./vocabulary";
import type { PublicEndpoint } from "./lookup-contract";
import type { resolveEndpoints } from "./endpoints";

/** Reads the relations of a model's API object in separate statements, because joining as JSON would truncate prices. */
export const WITH_ENDPOINTS = {
  relationLoadStrategy: "query",
  include: { endpoints: { include: { provider: true }, orderBy: { id: "asc" } } },
} as const satisfies Pick<Prisma.ModelFindManyArgs, "include" | "relationLoadStrategy">;
export type ModelRow = Prisma.ModelGetPayload<Pick<typeof WITH_ENDPOINTS, "include">>;
type EndpointRow = ModelRow["endpoints"][number];

/** Converts API fields to columns; missing fields stay missing. */
export const toColumns = (body: UpdateModelBody) => ({
  canonicalSlug: body.canonical_slug,
  name: body.name,
  vendor: body.vendor,
  contextLength: body.context_length,
  maxOutputTokens: body.max_output_tokens,
  distillable: body.distillable,
});

/** Converts an endpoint to columns. Missing fields become unknown; a missing data region stays unchanged. */
export const toEndpointColumns = (endpoint: ReturnType<typeof resolveEndpoints>["endpoints"][number]) => ({
  providerId: endpoint.providerId,
  upstreamModel: endpoint.upstreamModel,
  ...toPriceColumns(endpoint.price, "admin"),
  zdr: endpoint.zdr ?? null,
  quantization: endpoint.quantization ?? null,
  supportedParameters: json(endpoint.supported_parameters ?? null),
  dataRegion: endpoint.data_region,
});

/** Converts a price list to columns; optional prices share one. An unknown price is stored as 0, with its source. */
export function toPriceColumns(price: EndpointFields["price"], source: FactSource) {
  const { prompt, completion, request = "0", ...details } = price ?? { prompt: "0", completion: "0" };
  return {
    priceSource: price ? source : ("unknown" as const),
    pricePrompt: prompt,
    priceCompletion: completion,
    priceRequest: request,
    priceDetails: json(Object.keys(details).length > 0 ? details : null),
  };
}

/** Returns the prices of an endpoint in units of the API; null when unknown. */
const priceOf = (row: EndpointRow) =>
  row.priceSource === "unknown" ? null : { ...pricesOf(row), ...priceDetailsOf(row) };

const pricesOf = ({ pricePrompt, priceCompletion, priceRequest }: EndpointRow) => ({
  prompt: pricePrompt.toFixed(),
  completion: priceCompletion.toFixed(),
  request: priceRequest.toFixed(),
});

const priceDetailsOf = ({ priceDetails }: EndpointRow) => priceDetails as PriceDetails | null;

const parametersOf = ({ supportedParameters }: EndpointRow) => supportedParameters as string[] | null;

/** Returns the source of a price after a write of its endpoint. An unchanged price keeps its source. */
export function priceSourceOf(row: EndpointRow, written: ReturnType<typeof toPriceColumns>): FactSource {
  const isSame =
    written.priceSource !== "unknown" &&
    row.pricePrompt.equals(written.pricePrompt) &&
    row.priceCompletion.equals(written.priceCompletion) &&
    row.priceRequest.equals(written.priceRequest) &&
    row.priceSource !== "unknown" &&
    isDeepStrictEqual(priceDetailsOf(row), written.priceDetails === Prisma.DbNull ? null : written.priceDetails);
  return isSame ? row.priceSource : written.priceSource;
}

/** Converts an endpoint for policy and routing. */
export const toPlanEndpoint = (model: ModelRow, row: EndpointRow): PlanEndpoint => ({
  id: row.id,
  model,
  provider: { ...row.provider, protocol: row.provider.protocol as UpstreamProtocol },
  upstreamModel: row.upstreamModel,
  prices: row.priceSource === "unknown" ? null : { ...pricesOf(row), details: priceDetailsOf(row) },
  zdr: row.zdr,
  quantization: row.quantization,
  supportedParameters: parametersOf(row),
  dataRegion: row.dataRegion,
});

const ONE_MILLION = new Prisma.Decimal(1_000_000);

const perToken = (price: Prisma.Decimal) => price.div(ONE_MILLION).toFixed();

/** Names of token prices in public model lists. */
const PUBLIC_PRICES = {
  cache_read: "input_cache_read",
  cache_write: "input_cache_write",
  audio_input: "audio",
  audio_output: "audio_output",
  image_input: "image",
  image_output: "image_output",
  reasoning: "internal_reasoning",
} as const;

/** Converts an endpoint to its form in public model lists. */
export function toPublicEndpoint(model: ModelRow, row: EndpointRow): PublicEndpoint {
  const details = priceDetailsOf(row) ?? {};
  const parameters = parametersOf(row) ?? [];
  const takesTools = parameters.includes("tool_choice");
  const optional = Object.entries(PUBLIC_PRICES).flatMap(([name, shown]): [string, string][] => {
    const price = details[name as keyof typeof PUBLIC_PRICES];
    return price === undefined ? [] : [[shown, perToken(new Prisma.Decimal(price))]];
  });
  return {
    name: `${row.provider.name} | ${model.slug}`,
    tag: row.provider.slug,
    model_id: model.slug,
    model_name: model.name,
    provider_name: row.provider.name,
    context_length: model.contextLength ?? 0,
    max_completion_tokens: model.maxOutputTokens,
    max_prompt_tokens: null,
    pricing: {
      ...publicPricesOf(row),
      ...Object.fromEntries<string>(optional),
      ...(details.web_search !== undefined && { web_search: details.web_search }),
    },
    quantization: row.quantization,
    supported_parameters: parameters,
    supports_implicit_caching: details.cache_read !== undefined,
    supports_tool_choice: { auto: takesTools, function: takesTools, none: takesTools, required: takesTools },
    supports_voice_cloning: false,
    latency_last_30m: null,
    throughput_last_30m: null,
    uptime_last_5m: null,
    uptime_last_30m: null,
    uptime_last_1d: null,
  };
}

/** Prices in public model lists for models without a known price. */
const UNPRICED = { prompt: "-1", completion: "-1", request: "-1" };

const publicPricesOf = ({ priceSource, pricePrompt, priceCompletion, priceRequest }: EndpointRow): Model["pricing"] =>
  priceSource === "unknown"
    ? UNPRICED
    : { prompt: perToken(pricePrompt), completion: perToken(priceCompletion), request: priceRequest.toFixed() };

/** Returns the exact prices per token of the cheapest endpoint with a known price, as in public model lists. */
function pricingOf(endpoints: readonly EndpointRow[]): Model["pricing"] {
  const priced = endpoints.filter(({ priceSource }) => priceSource !== "unknown");
  const sum = ({ pricePrompt, priceCompletion }: EndpointRow) => pricePrompt.add(priceCompletion);
  const [cheapest] = priced.toSorted((a, b) => sum(a).cmp(sum(b)));
  return cheapest ? publicPricesOf(cheapest) : UNPRICED;
}

/** Returns the announced retirement if it concerns every endpoint of a model: the latest one. */
export function lifecycleFields(
  endpoints: readonly { provider: { baseUrl: string | null }; upstreamModel: string }[],
): Pick<Model, "deprecated_at" | "retires_at" | "replacement" | "lifecycle_source"> {
  const known = endpoints.map(({ provider: { baseUrl }, upstreamModel }) =>
    baseUrl === null ? null : lifecycleOf(vendorOf(baseUrl), upstreamModel),
  );
  const [last] = known.includes(null)
    ? []
    : known.flatMap((one) => one ?? []).toSorted((a, b) => (a.retiresAt < b.retiresAt ? 1 : -1));
  return {
    deprecated_at: last?.deprecatedAt ?? null,
    retires_at: last?.retiresAt ?? null,
    replacement: last?.replacement ?? null,
    lifecycle_source: last ? "catalogue" : "unknown",
  };
}

/** Converts a row to an API object. */
export function toModel(row: ModelRow): Model {
  return {
    id: row.slug,
    object: "model",
    created: Math.floor(row.createdAt.getTime() / 1000),
    owned_by: row.vendor,
    slug: row.slug,
    audit_id: row.id,
    canonical_slug: row.canonicalSlug,
    name: row.name,
    vendor: row.vendor,
    vendor_source: row.vendorSource ?? "unknown",
    ...lifecycleFields(row.endpoints),
    context_length: row.contextLength,
    max_output_tokens: row.maxOutputTokens,
    distillable: row.distillable,
    pricing: pricingOf(row.endpoints),
    endpoints: row.endpoints.map((endpoint) => ({
      provider: endpoint.provider.slug,
      upstream_model: endpoint.upstreamModel,
      price: priceOf(endpoint),
      price_source: endpoint.priceSource,
      zdr: endpoint.zdr,
      quantization: endpoint.quantization,
      supported_parameters: parametersOf(endpoint),
      data_region: endpoint.dataRegion,
    })),
    supported_parameters: [...new Set(row.endpoints.flatMap((endpoint) => parametersOf(endpoint) ?? []))],
    architecture: { modality: null, input_modalities: ["text"], output_modalities: ["text"] },
    top_provider: {
      context_length: row.contextLength,
      is_moderated: false,
      max_completion_tokens: row.maxOutputTokens,
    },
    per_request_limits: null,
    default_parameters: null,
    supported_voices: null,
    links: { details: `/v1/models/${encodeURIComponent(row.slug)}` },
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt?.toISOString() ?? null,
  };
}

/** Returns the settings of a model without the fields for compatible clients. */
export const settingsOf = ({
  slug,
  canonical_slug,
  name,
  vendor,
  context_length,
  max_output_tokens,
  distillable,
  endpoints,
}: Model) => ({
  slug,
  canonical_slug,
  name,
  vendor,
  context_length,
  max_output_tokens,
  distillable,
  endpoints,
});
