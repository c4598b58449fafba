/** Encodings of OpenAI's models. */
export type Encoding = "o200k_base" | "cl100k_base";

/** Returns the encoding of a model, by its name at the provider; null for vendors that don't publish theirs. */
export function encodingOf(upstreamModel: string): Encoding | null {
  const name = upstreamModel.toLowerCase().replace(/^.*\//, "");
  if (/^(?:gpt-3\.5|gpt-4(?:$|-|_))/.test(name)) return "cl100k_base";
  return /^(?:gpt-|chatgpt|o[1-9](?:$|-)|ft:gpt-4o)/.test(name) ? "o200k_base" : null;
}
