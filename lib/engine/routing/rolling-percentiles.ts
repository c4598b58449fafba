import type { Percentiles } from "../endpoint";

/** Number of the latest figures retained per endpoint. */
const MAX_FIGURES = 100;

/** Appends a figure, dropping the oldest beyond the limit. */
export const appendFigure = (figures: readonly number[], figure: number): number[] =>
  [...figures, figure].slice(-MAX_FIGURES);

/** Returns the figures that 50%, 75% … of measurements meet or exceed (nearest rank); null without measurements. */
export function percentilesOf(figures: readonly number[], better: "lower" | "higher"): Percentiles | null {
  const [best] = figures;
  if (best === undefined) return null;
  const bestFirst = figures.toSorted((a, b) => (better === "lower" ? a - b : b - a));
  const at = (share: number) => bestFirst[Math.ceil(share * bestFirst.length) - 1] ?? best;
  return { p50: at(0.5), p75: at(0.75), p90: at(0.9), p99: at(0.99) };
}
