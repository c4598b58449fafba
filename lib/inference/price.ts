import type { ChatMessage } from "./chat-messages-contract";
import type { ChatUsage } from "./chat-result-contract";
import type { Endpoint } from "./endpoint";
import type { Gathered } from "./gather";
import { requestSize } from "./request-size";

interface Tokens {
  prompt_tokens: number;
  completion_tokens: number;
}

/** Decimals of a stored price: prices are computed as whole numbers of this fraction. */
const DECIMALS = 10;
const UNIT = 10n ** BigInt(DECIMALS);
const MILLION = 1_000_000n;

/** A decimal text → whole 10⁻¹⁰ths. */
function toUnits(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole) * UNIT + BigInt(fraction.slice(0, DECIMALS).padEnd(DECIMALS, "0"));
}

/** A price in USD per million tokens is a price in micro-USD per token. */
function costUnits(prices: Endpoint["prices"], { prompt_tokens, completion_tokens }: Tokens): bigint {
  return (
    BigInt(prompt_tokens) * toUnits(prices.prompt) +
    BigInt(completion_tokens) * toUnits(prices.completion) +
    MILLION * toUnits(prices.request)
  );
}

/** The cost of an answer in micro-USD, exact and rounded half up once; an answer without usage costs nothing. */
export function costMicroUsd(prices: Endpoint["prices"], usage: Tokens | null): bigint {
  return usage ? (costUnits(prices, usage) + UNIT / 2n) / UNIT : 0n;
}

/** The same rounded up: 0 only for what is free. */
export const costAtMostMicroUsd = (prices: Endpoint["prices"], tokens: Tokens): bigint =>
  (costUnits(prices, tokens) + UNIT - 1n) / UNIT;

/** Of ordinary text in the usual tokenizers. */
const CHARACTERS_PER_TOKEN = 4;
const tokensOf = (characters: number) => Math.ceil(characters / CHARACTERS_PER_TOKEN);

/** The usage of an answer that ended before its upstream reported one, from what was sent and what came: leaving a stream early is not free. */
export function estimateUsage(
  messages: readonly ChatMessage[],
  { content, reasoning, refusal, toolCalls }: Gathered,
): ChatUsage {
  const calls = toolCalls.reduce((sum, { function: { name, arguments: args } }) => sum + name.length + args.length, 0);
  const prompt_tokens = tokensOf(requestSize(messages, null).promptCharacters);
  const completion_tokens = tokensOf(content.length + reasoning.length + refusal.length + calls);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
