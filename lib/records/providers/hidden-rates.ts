import { LRUCache } from "lru-cache";
import { RollingFigures } from "../../engine/routing/rolling-percentiles";

/** Maximum number of endpoints tracked; the least recently used is evicted. */
const MAX_ENDPOINTS = 5000;

/**
 * Measures how many hidden tokens per second endpoints write before their responses, over the last 100 in this process.
 */
export class HiddenRateLog {
  readonly #figures = new LRUCache<string, RollingFigures>({ max: MAX_ENDPOINTS });

  record(id: string, { tokens, ms }: { tokens: number; ms: number }): void {
    const figures = this.#figures.get(id) ?? new RollingFigures();
    this.#figures.set(id, figures);
    figures.add((tokens * 1000) / Math.max(1, ms));
  }

  /** Returns the median in tokens per second; undefined without measurements. */
  rateOf(id: string): number | undefined {
    return this.#figures.get(id)?.at(0.5);
  }
}

/** The measurements of this process. */
export const hiddenRates = new HiddenRateLog();
