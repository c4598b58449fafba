// Entry point of a worker thread: bundled separately, so it must not import server code.
import type { Encoding } from "../../engine/tokens/encoding";

export interface TokenTask {
  encoding: Encoding;
  texts: readonly string[];
}

export interface DecodeTask {
  encoding: Encoding;
  /** Token numbers of each text. */
  tokens: readonly (readonly number[])[];
}

const ENCODINGS = {
  o200k_base: () => import("gpt-tokenizer/encoding/o200k_base"),
  cl100k_base: () => import("gpt-tokenizer/encoding/cl100k_base"),
};

/** Tokenizing takes quadratic time in the length of a run without breaks, so long runs are split. */
const LONG_RUN = /\S{500}|\s{500}/gu;
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

/** Returns the number of tokens of all texts together. */
export default async function countTask({ encoding, texts }: TokenTask): Promise<number> {
  const { countTokens } = await ENCODINGS[encoding]();
  let sum = 0;
  for (const text of texts) {
    let start = 0;
    for (const { index, 0: run } of text.matchAll(LONG_RUN)) {
      const end = index + run.length;
      sum += countTokens(text.slice(start, end), PLAIN_TEXT);
      start = end;
    }
    sum += countTokens(text.slice(start), PLAIN_TEXT);
  }
  return sum;
}

/** Decodes each list of tokens to text. */
export async function decodeTask({ encoding, tokens }: DecodeTask): Promise<string[]> {
  const { decode } = await ENCODINGS[encoding]();
  return tokens.map((one) => decode(one));
}
