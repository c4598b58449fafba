import type { Endpoint } from "./plan";

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

/**
 * The cost of an answer in micro-USD, exact and rounded half up once. A price in USD per million tokens is
 * a price in micro-USD per token. An answer without usage, one that broke off, costs nothing.
 */
export function costMicroUsd(prices: Endpoint["prices"], usage: Tokens | null): bigint {
  if (!usage) return 0n;
  const tokens = BigInt(usage.prompt_tokens) * toUnits(prices.prompt) + BigInt(usage.completion_tokens) * toUnits(prices.completion);
  const units = tokens + MILLION * toUnits(prices.request);
  return (units + UNIT / 2n) / UNIT;
}
