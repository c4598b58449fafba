import type { Endpoint, Prices } from "../engine/endpoint";

interface Given extends Partial<Omit<Endpoint, "model" | "provider" | "prices">> {
  model?: Partial<Endpoint["model"]>;
  provider?: Partial<Endpoint["provider"]>;
  prices?: Partial<Prices> | null;
}

/** Creates an endpoint of a chat completions provider with the given fields. */
export function endpointOf({ model, provider, prices, ...own }: Given = {}): Endpoint {
  const slug = model?.slug ?? "acme/one";
  const providerSlug = provider?.slug ?? "acme";
  return {
    id: `${slug} ${providerSlug}`,
    model: { slug, canonicalSlug: slug, vendor: slug.split("/", 1)[0] ?? slug, distillable: null, ...model },
    provider: {
      id: providerSlug,
      slug: providerSlug,
      name: providerSlug,
      protocol: "chat_completions",
      zdr: false,
      trains: false,
      ownership: "platform",
      ...provider,
    },
    upstreamModel: slug,
    prices: prices === null ? null : { prompt: "1", completion: "1", request: "0", ...prices },
    zdr: null,
    quantization: null,
    supportedParameters: null,
    dataRegion: "global",
    ...own,
  };
}
