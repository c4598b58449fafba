import type { TokenCount } from "./script-tokens";

/** The middle and the highest of recent figures. */
export interface Spread {
  typical: number;
  highest: number;
}

/**
 * Comparison of the prompt tokens that an endpoint billed with their estimates: for short prompts the difference, where
 * templates decide; for longer ones the ratio. Null without requests of that size.
 */
export interface BilledPrompts {
  differences: Spread | null;
  ratios: Spread | null;
}

/** Comparisons by endpoint id. */
export type BilledRatios = ReadonlyMap<string, BilledPrompts>;

/** Estimated tokens below which a prompt is short. */
export const SHORT_PROMPT = 256;
/** Reservations exceed what was billed by this factor, because the next prompt may be a little above it. */
const MARGIN = 1.1;

/** True when a prompt of the estimated size is compared by its difference. */
export const isShort = (estimated: number): boolean => estimated < SHORT_PROMPT;

/** Corrects an estimate of prompt tokens by what the endpoint billed before. */
export function correctedBy(billed: BilledPrompts | undefined, { expected, most }: TokenCount): TokenCount {
  const spread = isShort(expected) ? billed?.differences : billed?.ratios;
  if (!spread) return { expected, most };
  const by = (figure: number) => (isShort(expected) ? expected + figure : expected * figure);
  return {
    expected: Math.max(1, Math.round(by(spread.typical))),
    most: Math.max(most, Math.ceil(by(spread.highest) * MARGIN)),
  };
}
