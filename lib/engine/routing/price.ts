import type { ChatMessage } from "../protocols/contracts/chat-messages-contract";
import type { ChatUsage } from "../protocols/contracts/chat-result-contract";
import type { Endpoint } from "../endpoint";
import type { AccumulatedAnswer } from "../protocols/accumulate";
import { requestSize } from "./request-size";

interface Tokens {
  prompt_tokens: number;
  completion_tokens: number;
}

/** Number of decimals in a stored price; prices are computed as integers in this unit. */
const DECIMALS = 10;
const UNIT = 10n ** BigInt(DECIMALS);
const MILLION = 1_000_000n;

/** Converts a decimal text to an integer number of 10⁻¹⁰ units. */
function toUnits(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole) * UNIT + BigInt(fraction.slice(0, DECIMALS).padEnd(DECIMALS, "0"));
}

/** USD per million tokens equals micro-USD per token, so no conversion is needed. */
function costUnits(prices: Endpoint["prices"], { prompt_tokens, completion_tokens }: Tokens): bigint {
  return (
    BigInt(prompt_tokens) * toUnits(prices.prompt) +
    BigInt(completion_tokens) * toUnits(prices.completion) +
    MILLION * toUnits(prices.request)
  );
}

/** Returns the cost of an answer in micro-USD, computed exactly and rounded half up once; without usage it is 0. */
export function costMicroUsd(prices: Endpoint["prices"], usage: Tokens | null): bigint {
  return usage ? (costUnits(prices, usage) + UNIT / 2n) / UNIT : 0n;
}

/** Returns the cost in micro-USD rounded up; 0 only when free. */
export const maxCostMicroUsd = (prices: Endpoint["prices"], tokens: Tokens): bigint =>
  (costUnits(prices, tokens) + UNIT - 1n) / UNIT;

/** Average for ordinary text with common tokenizers. */
const CHARACTERS_PER_TOKEN = 4;
const tokensOf = (characters: number) => Math.ceil(characters / CHARACTERS_PER_TOKEN);

/**
 * Estimates usage from the text sent and received when an answer ends before the upstream reports usage, so that
 * disconnecting early isn't free.
 */
export function estimateUsage(
  messages: readonly ChatMessage[],
  { content, reasoning, refusal, toolCalls }: AccumulatedAnswer,
): ChatUsage {
  const calls = toolCalls.reduce((sum, { function: { name, arguments: args } }) => sum + name.length + args.length, 0);
  const prompt_tokens = tokensOf(requestSize(messages, null).promptCharacters);
  const completion_tokens = tokensOf(content.length + reasoning.length + refusal.length + calls);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
