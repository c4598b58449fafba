/** Aliases of vendors in API catalogues, model hubs and clouds. */
const ALIASES: Readonly<Record<string, string>> = {
  ai21labs: "ai21",
  alibaba: "qwen",
  aws: "amazon",
  codellama: "meta",
  cohereforai: "cohere",
  coherelabs: "cohere",
  deepmind: "google",
  "deepseek-ai": "deepseek",
  facebook: "meta",
  "google-deepmind": "google",
  "ibm-granite": "ibm",
  "meta-llama": "meta",
  minimaxai: "minimax",
  mistralai: "mistral",
  moonshot: "moonshotai",
  "moonshot-ai": "moonshotai",
  "open-ai": "openai",
  "perplexity-ai": "perplexity",
  thudm: "zai",
  "x-ai": "xai",
  "z-ai": "zai",
  "zai-org": "zai",
  zhipuai: "zai",
};

/** Families of model names by vendor. The first match decides, so a derived model precedes its base model. */
const FAMILIES: readonly (readonly [vendor: string, name: RegExp])[] = [
  ["perplexity", /(?:^|-)sonar(?:-|$)|^r1-1776/],
  ["nvidia", /nemotron/],
  ["nousresearch", /(?:^|-)hermes-/],
  ["cognitivecomputations", /^dolphin/],
  ["microsoft", /^phi-?\d|^mai-|wizardlm/],
  ["deepseek", /deepseek/],
  ["xai", /^grok(?:-|$)/],
  ["mistral", /^(?:open-)?(?:mi|code|dev|magi|mini)stral|^(?:open-)?mixtral|^pixtral|^voxtral/],
  ["qwen", /^(?:qwen|qwq|qvq)/],
  ["moonshotai", /^(?:kimi|moonshot)-/],
  ["zai", /^(?:chat)?glm-/],
  ["minimax", /^(?:minimax|abab)/],
  ["cohere", /^(?:command(?:-|$)|c4ai-|embed-v|rerank-)/],
  ["amazon", /^(?:nova|titan)-/],
  ["writer", /^palmyra/],
  ["ai21", /^(?:jamba|j2)-/],
  ["ibm", /^granite-/],
  ["rekaai", /^reka-/],
  ["01-ai", /^yi-/],
  ["meta", /^(?:meta-)?(?:code)?llama/],
];

/** Families with a single vendor, which decide even if the name has another author. */
const OWN_FAMILIES: readonly (readonly [vendor: string, name: RegExp])[] = [
  ["anthropic", /claude/],
  ["google", /gemini|gemma|learnlm|^(?:text|chat|code)-bison|^(?:imagen|veo)-/],
  [
    "openai",
    /(?:^|[^a-z])(?:chat)?gpt-?(?:\d|oss|audio|chat|image|realtime|transcribe)|^o[134](?:$|[-:])|^(?:text-|code-)?(?:ada|babbage|curie|davinci)(?:$|[-:])|^text-embedding-(?:3|ada)|^(?:whisper|dall-e|sora|codex|computer-use|moderation|(?:omni|text)-moderation|tts-1)(?:$|-)/,
  ],
];

/** Services and parts of names that aren't vendors of models. */
const HOSTS: ReadonlySet<string> = new Set([
  "accounts",
  "arn",
  "azure",
  "azure_ai",
  "bedrock",
  "cerebras",
  "cf",
  "deepinfra",
  "fireworks",
  "fireworks_ai",
  "foundation-model",
  "github",
  "github_copilot",
  "groq",
  "hf",
  "huggingface",
  "inference-profile",
  "litellm",
  "locations",
  "models",
  "novita",
  "ollama",
  "openrouter",
  "projects",
  "publishers",
  "replicate",
  "together",
  "together_ai",
  "tunedmodels",
  "vertex",
  "vertex_ai",
]);

/** Vendors without a family of names, known as authors before a slash, or before a dot on Bedrock. */
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.values(ALIASES),
  ...FAMILIES.map(([vendor]) => vendor),
  ...OWN_FAMILIES.map(([vendor]) => vendor),
  "luma",
  "stability",
  "twelvelabs",
]);

/** Returns the canonical name of a vendor: `xai` for `x-ai`. */
export function canonicalVendor(name: string): string {
  const lower = name.toLowerCase().replace(/^~/, "");
  return ALIASES[lower] ?? lower;
}

export const isKnownVendor = (name: string): boolean => KNOWN.has(canonicalVendor(name));

/** Parts of a model's name: `us.anthropic.claude-opus-4` and `anthropic/claude-opus-4` have the author `anthropic`. */
export interface NameParts {
  authors: string[];
  base: string;
}

const DOTTED = /^(?:(?:us-gov|us|eu|apac|au|ca|jp|global|regional)\.)?([a-z][a-z0-9]*)\.(.+)$/;

/** Splits an upstream's model name, or a slug, into authors and the vendor's name for the model. */
export function partsOf(name: string): NameParts {
  const segments = name.trim().toLowerCase().replace(/^[@~]/, "").split("/");
  const last = segments.pop() ?? "";
  const [, dotted, rest] = DOTTED.exec(last.slice(last.lastIndexOf(":", last.indexOf(".")) + 1)) ?? [];
  const authors = segments.map((segment) => segment.replace(/^.*:/, ""));
  return dotted !== undefined && rest !== undefined && isKnownVendor(dotted)
    ? { authors: [...authors, dotted], base: rest }
    : { authors, base: last };
}

const familyIn = (families: typeof FAMILIES, base: string): string | null =>
  families.find(([, family]) => family.test(base))?.[0] ?? null;

/** Returns the vendor of a family with a single vendor, whatever else the name contains. */
const ownerOf = (name: string): string | null => familyIn(OWN_FAMILIES, partsOf(name).base);

/** Returns the vendor that a name implies: a known author, or the vendor of its family. */
function knownMakerOf(name: string): string | null {
  const { authors, base } = partsOf(name);
  const author = authors.findLast((one) => isKnownVendor(one) && !HOSTS.has(one));
  return author === undefined ? familyIn(FAMILIES, base) : canonicalVendor(author);
}

/** Returns the author in a name like `author/model`, unless it names a service or one of `others`. */
export function authorOf(name: string, others: readonly string[]): string | null {
  if (name.startsWith("arn:")) return null;
  const author = partsOf(name).authors.at(-1)?.replace(/^~/, "");
  const isMaker = author !== undefined && /^[a-z0-9]/.test(author) && !HOSTS.has(author) && !others.includes(author);
  return isMaker && /^[a-z0-9._:~+-]{1,100}$/.test(author) ? canonicalVendor(author) : null;
}

/** Returns the vendor of the model with these names, in order of precedence; null if none of them implies it. */
export function makerOf(names: readonly string[]): string | null {
  const first = (find: (name: string) => string | null) => names.map(find).find((vendor) => vendor !== null) ?? null;
  return first(ownerOf) ?? first(knownMakerOf);
}
