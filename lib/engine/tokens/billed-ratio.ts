import type { TokenCount } from "./script-tokens";

/** The median and the maximum of recent figures. */
export interface Spread {
  typical: number;
  highest: number;
}

/**
 * Billed prompt tokens of an endpoint compared with their estimates: the difference for short prompts, where templates
 * dominate, and the ratio for longer ones. Null without requests of that size.
 */
export interface BilledPrompts {
  differences: Spread | null;
  ratios: Spread | null;
}

/** Comparisons by endpoint id. */
export type BilledRatios = ReadonlyMap<string, BilledPrompts>;

/** Estimated tokens below which a prompt is short. */
export const SHORT_PROMPT = 256;
/** Factor by which reservations exceed the billed tokens, since the next prompt may be a little larger. */
const MARGIN = 1.1;

/** True for a prompt that is compared by its difference. */
export const isShort = (estimated: number): boolean => estimated < SHORT_PROMPT;

/** Corrects an estimate of prompt tokens by the endpoint's earlier bills. */
export function correctedBy(billed: BilledPrompts | undefined, { expected, most }: TokenCount): TokenCount {
  const spread = isShort(expected) ? billed?.differences : billed?.ratios;
  if (!spread) return { expected, most };
  const by = (figure: number) => (isShort(expected) ? expected + figure : expected * figure);
  return {
    expected: Math.max(1, Math.round(by(spread.typical))),
    most: Math.max(most, Math.ceil(by(spread.highest) * MARGIN)),
  };
}
