import type { Percentiles } from "../endpoint";

/** Number of the latest figures retained per endpoint. */
const MAX_FIGURES = 100;

/** Appends a figure, dropping the oldest beyond the limit. */
export const appendFigure = (figures: readonly number[], figure: number): number[] =>
  [...figures, figure].slice(-MAX_FIGURES);

/** Returns the figures that 50%, 75% … of measurements meet or exceed (nearest rank); null without measurements. */
export function percentilesOf(figures: readonly number[], better: "lower" | "higher"): Percentiles | null {
  if (figures.length === 0) return null;
  // Typed arrays sort without a comparison function, on the path of every request.
  const bestFirst = Float64Array.from(figures).sort();
  if (better === "higher") bestFirst.reverse();
  const at = (share: number) => bestFirst[Math.ceil(share * bestFirst.length) - 1] ?? NaN;
  return { p50: at(0.5), p75: at(0.75), p90: at(0.9), p99: at(0.99) };
}
