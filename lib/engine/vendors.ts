/** Vendors under several names: API catalogues, model hubs and clouds write them differently. */
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

/** Families of model names by vendor. The first match decides, so that a derived model precedes what it is derived from. */
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

/** Families that only their vendor makes or licenses: they decide even if the name has another author. */
const OWN_FAMILIES: readonly (readonly [vendor: string, name: RegExp])[] = [
  ["anthropic", /claude/],
  ["google", /gemini|gemma|learnlm|^(?:text|chat|code)-bison|^(?:imagen|veo)-/],
  [
    "openai",
    /(?:^|[^a-z])(?:chat)?gpt-?(?:\d|oss|audio|chat|image|realtime|transcribe)|^o[134](?:$|[-:])|^(?:text-|code-)?(?:ada|babbage|curie|davinci)(?:$|[-:])|^text-embedding-(?:3|ada)|^(?:whisper|dall-e|sora|codex|computer-use|moderation|(?:omni|text)-moderation|tts-1)(?:$|-)/,
  ],
];

/** Services and parts of names that make no models of their own. */
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

/** Vendors that are known without a rule for names: as authors before a slash, or before a dot on Bedrock. */
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.values(ALIASES),
  ...FAMILIES.map(([vendor]) => vendor),
  ...OWN_FAMILIES.map(([vendor]) => vendor),
  "luma",
  "stability",
  "twelvelabs",
]);

/** Returns the one name of a vendor: `x-ai` and `xai` are the same. */
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

/** Splits a model's name at an upstream, or a slug, into authors and the name that the vendor gave. */
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

/** Returns the vendor of a family that has a single maker, whatever else the name says. */
const ownerOf = (name: string): string | null => familyIn(OWN_FAMILIES, partsOf(name).base);

/** Returns the vendor that a name implies: by its author if that is a known vendor, or by its family. */
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

/** Returns who made the model with these names; null if none of them implies it. Names are in order of precedence. */
export function makerOf(names: readonly string[]): string | null {
  const first = (find: (name: string) => string | null) => names.map(find).find((vendor) => vendor !== null) ?? null;
  return first(ownerOf) ?? first(knownMakerOf);
}
