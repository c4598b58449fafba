/** Output assumed for a model without known maximum output and context length. */
const UNKNOWN_OUTPUT = 16_384;

/** Maximum output by name, for models that stop before the end of their context; the first match applies. */
const MAX_OUTPUT: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/gpt-oss/, 131_072],
  [/gpt-5[\w.-]*chat|gpt-4o|chatgpt-4o/, 16_384],
  [/gpt-[5-9]/, 128_000],
  [/gpt-4\.[15]/, 32_768],
  [/gpt-4-(?:turbo|1106|0125|vision)|gpt-3\.5/, 4096],
  [/gpt-4/, 8192],
  [/(?:^|\/)o1-preview/, 32_768],
  [/(?:^|\/)o1-mini/, 65_536],
  [/(?:^|\/)o[1-9]/, 100_000],
  [/claude-(?:3-5|3\.5)/, 8192],
  [/claude-3[.-]7/, 128_000],
  [/claude-(?:3|2|instant)/, 4096],
  [/claude-opus-4(?:[.-]1)?(?:$|[-@:]\d{8}|@)/, 32_000],
  [/claude-(?:opus-4[.-]5|sonnet-4(?:[.-]5)?(?:$|[-@:]\d{8})|haiku-4)/, 64_000],
  [/claude/, 128_000],
  [/gemini-(?:1|2\.0)/, 8192],
  [/gemini/, 65_536],
  [/deepseek-(?:chat|v3)/, 8192],
];

/** A model's limits in tokens; null where an admin hasn't set them. */
export interface ModelLimits {
  maxOutputTokens?: number | null;
  contextLength?: number | null;
}

/** Number of names whose limits are cached, since every request looks them up. */
const MOST_KNOWN = 1000;
const known = new Map<string, number | undefined>();

function knownMaxOutput(upstreamModel: string): number | undefined {
  if (known.has(upstreamModel)) return known.get(upstreamModel);
  const name = upstreamModel.toLowerCase();
  const tokens = MAX_OUTPUT.find(([pattern]) => pattern.test(name))?.[1];
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(upstreamModel, tokens);
  return tokens;
}

/** Returns the maximum number of tokens in one answer of a model. */
export function modelMaxOutput(upstreamModel: string, { maxOutputTokens, contextLength }: ModelLimits): number {
  if (typeof maxOutputTokens === "number") return maxOutputTokens;
  return Math.min(knownMaxOutput(upstreamModel) ?? contextLength ?? UNKNOWN_OUTPUT, contextLength ?? Infinity);
}

/** Returns the tokens of an image beyond the usual number: small models of one vendor count 33 times as many. */
export const extraImageTokens = (upstreamModel: string): number => (/gpt-4o-mini/i.test(upstreamModel) ? 48_000 : 0);
