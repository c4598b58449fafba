import { createProvider, listProviders } from "../records/providers/contract";
import { importModels } from "../records/providers/import-contract";
import { listAll, type Api } from "./api";

interface DemoProvider {
  slug: string;
  name: string;
  baseUrl: string;
  kind: "openai" | "anthropic" | "gemini";
  zdr: boolean;
  /** Names in the provider's API. Prices come from the catalogue. */
  models: readonly string[];
}

export const PROVIDERS: readonly DemoProvider[] = [
  {
    slug: "openai",
    name: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    kind: "openai",
    zdr: true,
    models: ["gpt-5.6-terra", "gpt-5.6-luna", "gpt-4.1-mini"],
  },
  {
    slug: "anthropic",
    name: "Anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    kind: "anthropic",
    zdr: true,
    models: ["claude-sonnet-4-6", "claude-haiku-4-5"],
  },
  {
    slug: "google",
    name: "Google AI Studio",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    kind: "gemini",
    zdr: false,
    models: ["gemini-3.5-flash-lite", "gemini-3.1-pro-preview"],
  },
  {
    slug: "mistral",
    name: "Mistral AI",
    baseUrl: "https://api.mistral.ai/v1",
    kind: "openai",
    zdr: true,
    models: ["mistral-small-latest", "mistral-large-2512"],
  },
];

/** Sent by no request that succeeds; an admin replaces it to use the provider. */
const SAMPLE_KEY = "sample-key-replace-me";

/** Creates missing providers with their models. Returns the number of models. */
export async function fillProviders(api: Api): Promise<number> {
  const existing = await listAll((query) => api.call(listProviders, { query }));
  let models = 0;
  for (const { slug, name, baseUrl, kind, zdr, models: wanted } of PROVIDERS) {
    if (!existing.some((provider) => provider.slug === slug))
      await api.call(createProvider, {
        body: { slug, name, base_url: baseUrl, kind, zdr, api_key: SAMPLE_KEY },
      });
    const { data } = await api.call(importModels, {
      params: { slug },
      body: { source: "catalogue", models: [...wanted], catalogue_provider: slug, prefix: slug },
    });
    models += data.imported.length;
  }
  return models;
}
