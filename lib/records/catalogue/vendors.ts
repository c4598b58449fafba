import type { ProviderKind } from "../providers/vocabulary";

interface Vendor {
  /** Suggested provider slug. */
  slug: string;
  /** Vendor id in @pydantic/genai-prices. */
  priceList: string;
  /** Base URL of the vendor's API, which the price list lacks. */
  baseUrl: string;
  kind: ProviderKind;
  /** True when its API serves only models of the vendor. */
  isMaker: boolean;
}

/** Vendors whose API serves only models they made. */
const MAKERS: ReadonlySet<string> = new Set([
  "anthropic",
  "cohere",
  "deepseek",
  "google",
  "minimax",
  "mistral",
  "moonshotai",
  "openai",
  "perplexity",
  "xai",
  "zai",
]);

const vendor = (slug: string, baseUrl: string, priceList = slug, kind: ProviderKind = "openai"): Vendor => ({
  slug,
  priceList,
  baseUrl,
  kind,
  isMaker: MAKERS.has(slug),
});

/** Vendors with a supported API and prices in @pydantic/genai-prices. */
export const VENDORS: readonly Vendor[] = [
  vendor("anthropic", "https://api.anthropic.com/v1", "anthropic", "anthropic"),
  // The customer's resource name is part of the host.
  vendor("azure", "https://your-resource.openai.azure.com", "azure", "azure"),
  vendor("bedrock", "https://bedrock-runtime.us-east-1.amazonaws.com", "aws", "bedrock"),
  vendor("cerebras", "https://api.cerebras.ai/v1"),
  vendor("cohere", "https://api.cohere.ai/compatibility/v1"),
  vendor("deepseek", "https://api.deepseek.com/v1"),
  vendor("fireworks", "https://api.fireworks.ai/inference/v1"),
  vendor("google", "https://generativelanguage.googleapis.com/v1beta", "google", "gemini"),
  vendor("groq", "https://api.groq.com/openai/v1"),
  vendor("minimax", "https://api.minimax.io/v1"),
  vendor("mistral", "https://api.mistral.ai/v1"),
  vendor("moonshotai", "https://api.moonshot.ai/v1"),
  vendor("openai", "https://api.openai.com/v1"),
  vendor("openrouter", "https://openrouter.ai/api/v1"),
  vendor("perplexity", "https://api.perplexity.ai"),
  vendor("together", "https://api.together.xyz/v1"),
  vendor("vertex", "https://aiplatform.googleapis.com/v1", "google", "vertex"),
  vendor("xai", "https://api.x.ai/v1", "x-ai"),
  vendor("zai", "https://api.z.ai/api/paas/v4"),
];
