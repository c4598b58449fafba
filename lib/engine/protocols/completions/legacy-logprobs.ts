import { asObjects, asText, type JsonObject } from "../../../platform/json-values";

/** Log probabilities in the format of text completions. */
export interface LegacyLogprobs {
  tokens: string[];
  token_logprobs: (number | null)[];
  /** Alternatives of each token, the token itself included; null if none were requested. */
  top_logprobs: Record<string, number>[] | null;
  /** Offset of each token in the completion, in characters. */
  text_offset: number[];
}

const probabilityOf = ({ logprob }: JsonObject): number | null => (typeof logprob === "number" ? logprob : null);

/** Returns the number of characters that begin in a token; the bytes of one character may span several tokens. */
function charactersIn({ token, bytes }: JsonObject): number {
  if (!Array.isArray(bytes)) return Array.from(asText(token) ?? "").length;
  return bytes.filter((byte) => typeof byte === "number" && (byte & 0b1100_0000) !== 0b1000_0000).length;
}

function alternativesOf(given: JsonObject): Record<string, number> {
  const all = [...asObjects(given["top_logprobs"]), given];
  return Object.fromEntries(
    all.flatMap((one): [string, number][] => {
      const [token, probability] = [asText(one["token"]), probabilityOf(one)];
      return token === null || probability === null ? [] : [[token, probability]];
    }),
  );
}

/** Converts the tokens of a chat completion; the first begins at `offset`. */
export function toLegacyLogprobs(tokens: readonly JsonObject[], alternatives: number, offset = 0): LegacyLogprobs {
  let next = offset;
  const text_offset = tokens.map((token) => {
    const begin = next;
    next += charactersIn(token);
    return begin;
  });
  return {
    tokens: tokens.map(({ token }) => asText(token) ?? ""),
    token_logprobs: tokens.map(probabilityOf),
    top_logprobs: alternatives > 0 ? tokens.map(alternativesOf) : null,
    text_offset,
  };
}

/** Number of characters of tokens. */
export const charactersOf = (tokens: readonly JsonObject[]): number =>
  tokens.reduce((sum, token) => sum + charactersIn(token), 0);

/** Returns the mean log probability per token; the lowest possible if it is unknown. */
export function meanLogprob(tokens: readonly JsonObject[] = []): number {
  const known = tokens.map(probabilityOf).filter((one) => one !== null);
  return known.length === 0 ? -Infinity : known.reduce((sum, one) => sum + one, 0) / known.length;
}
