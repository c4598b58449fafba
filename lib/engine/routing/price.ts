import type { Endpoint } from "../endpoint";

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
