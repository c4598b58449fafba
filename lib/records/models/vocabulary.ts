/** Origins of a fact about a model: the catalogue, the provider's list of models, an admin, or `unknown`. */
export const FACT_SOURCES = ["catalogue", "upstream", "admin", "unknown"] as const;
export type FactSource = (typeof FACT_SOURCES)[number];

/** Vendor of models with an unknown maker. Zero data retention treats them as other vendors. */
export const UNKNOWN_VENDOR = "unknown";

/** Vendors as they spell themselves, by slug. */
const VENDOR_NAMES: Readonly<Record<string, string>> = {
  "01-ai": "01.AI",
  ai21: "AI21 Labs",
  allenai: "Ai2",
  "arcee-ai": "Arcee AI",
  azure: "Microsoft Azure",
  bedrock: "Amazon Bedrock",
  bytedance: "ByteDance",
  cognitivecomputations: "Cognitive Computations",
  deepseek: "DeepSeek",
  fireworks: "Fireworks AI",
  huggingface: "Hugging Face",
  ibm: "IBM",
  liquid: "Liquid AI",
  minimax: "MiniMax",
  mistral: "Mistral AI",
  mistralai: "Mistral AI",
  moonshotai: "MoonshotAI",
  nousresearch: "Nous Research",
  nvidia: "NVIDIA",
  openai: "OpenAI",
  openrouter: "OpenRouter",
  rekaai: "Reka AI",
  stabilityai: "Stability AI",
  together: "Together AI",
  vertex: "Google Vertex AI",
  xai: "xAI",
  "x-ai": "xAI",
  zai: "Z.ai",
  "z-ai": "Z.ai",
};

/** A vendor's name: as it spells itself, or the words of its slug. */
export const nameOfVendor = (slug: string): string =>
  VENDOR_NAMES[slug] ??
  slug.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => (dash ? " " : "") + letter.toUpperCase());
