import type { PROTOCOLS, UpstreamProtocol } from "./protocols/vocabulary";
import type { PriceDetails } from "./price-contract";
import type { DataRegion } from "./vocabulary";
import type { ModelLimits } from "./model-limits";

/** Protocols that callers speak. */
export type Protocol = (typeof PROTOCOLS)[number];

/** Prices of tokens. Kinds without a price cost as much as prompt or completion tokens. */
export interface TokenPrices extends Omit<PriceDetails, "tiers" | "service_tiers" | "web_search"> {
  prompt: string;
  completion: string;
}

/** Decimal texts in USD per million tokens; `request` is USD per request. */
export interface Prices {
  prompt: string;
  completion: string;
  request: string;
  details?: PriceDetails | null;
}

/** A vendor's announcement of a model's retirement; ISO timestamps. */
export interface Lifecycle {
  /** Null when unknown. */
  deprecatedAt: string | null;
  retiresAt: string;
  /** The model that the vendor recommends. */
  replacement: string;
}

/** One provider's offer of a model. */
export interface Endpoint {
  id: string;
  model: { slug: string; canonicalSlug: string; vendor: string; distillable: boolean | null } & ModelLimits;
  provider: {
    id: string;
    slug: string;
    name: string;
    protocol: UpstreamProtocol;
    zdr: boolean;
    trains: boolean;
    ownership: "platform" | "byok";
  };
  upstreamModel: string;
  /** Null when unknown, which isn't free. */
  prices: Prices | null;
  zdr: boolean | null;
  quantization: string | null;
  /** Request parameters the upstream supports; null when unknown. */
  supportedParameters: string[] | null;
  dataRegion: DataRegion;
  /** Null or missing when no retirement is announced. */
  lifecycle?: Lifecycle | null;
}

/** The endpoint fields used by a guardrail's lists and switches. */
export interface RoutableEndpoint {
  model: Pick<Endpoint["model"], "slug" | "canonicalSlug" | "vendor">;
  provider: Pick<Endpoint["provider"], "slug" | "zdr">;
  zdr: boolean | null;
  dataRegion: DataRegion;
}

/** Returns the endpoint's zero data retention setting, or its provider's when unset. */
export const isZdr = ({ zdr, provider }: RoutableEndpoint): boolean => zdr ?? provider.zdr;

/** Figures that 50%, 75% … of recent requests met or exceeded. */
export interface Percentiles {
  p50: number;
  p75: number;
  p90: number;
  p99: number;
}

/** Measured speed of an endpoint; null where nothing has been measured. */
export interface Speed {
  /** Seconds to first token. */
  latency: Percentiles | null;
  /** Tokens per second. */
  throughput: Percentiles | null;
}
