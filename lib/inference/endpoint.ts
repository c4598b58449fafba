import type { PROTOCOLS } from "../generations/vocabulary";

export type Protocol = (typeof PROTOCOLS)[number];

/** One way to reach a model. Prices are decimal texts: USD per million tokens, `request` USD per request. */
export interface Endpoint {
  id: string;
  model: { slug: string; canonicalSlug: string; vendor: string; distillable: boolean | null };
  provider: {
    id: string;
    slug: string;
    name: string;
    protocol: Protocol;
    zdr: boolean;
    trains: boolean;
    ownership: "platform" | "byok";
  };
  upstreamModel: string;
  prices: { prompt: string; completion: string; request: string };
  zdr: boolean | null;
  quantization: string | null;
  /** Request fields that the upstream knows; null when nobody said. */
  supportedParameters: string[] | null;
}

/** What a guardrail's lists and switches look at. */
export interface RoutableEndpoint {
  model: Pick<Endpoint["model"], "slug" | "canonicalSlug" | "vendor">;
  provider: Pick<Endpoint["provider"], "slug" | "zdr">;
  zdr: boolean | null;
}

/** Zero data retention: what the endpoint says of itself, else its provider. */
export const isZdr = ({ zdr, provider }: RoutableEndpoint): boolean => zdr ?? provider.zdr;

/** What half, three quarters … of the recent requests reached or did better. */
export interface Percentiles {
  p50: number;
  p75: number;
  p90: number;
  p99: number;
}

/** Measured of an endpoint; null where nothing was measured yet. */
export interface Speed {
  /** Seconds to the first byte. */
  latency: Percentiles | null;
  /** Tokens per second. */
  throughput: Percentiles | null;
}
