import type { Percentiles } from "./endpoint";

/** Figures that are kept of an endpoint: its last ones. */
const KEPT = 100;

/** The figures with a new one, without the oldest where they are too many. */
export const withFigure = (figures: readonly number[], figure: number): number[] => [...figures, figure].slice(-KEPT);

/** What half, three quarters … of the figures reach or better (nearest rank); null of none. */
export function percentilesOf(figures: readonly number[], better: "lower" | "higher"): Percentiles | null {
  const [best] = figures;
  if (best === undefined) return null;
  const bestFirst = figures.toSorted((a, b) => (better === "lower" ? a - b : b - a));
  const at = (share: number) => bestFirst[Math.ceil(share * bestFirst.length) - 1] ?? best;
  return { p50: at(0.5), p75: at(0.75), p90: at(0.9), p99: at(0.99) };
}
