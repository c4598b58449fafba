import { LRUCache } from "lru-cache";
import { appendFigure, percentilesOf } from "../../engine/routing/rolling-percentiles";
import { isShort, type BilledPrompts, type Spread } from "../../engine/tokens/billed-ratio";

/** Maximum number of endpoints tracked; the least recently used is evicted. */
const MAX_ENDPOINTS = 5000;
/** Ratios outside of this range come from an upstream that reports wrong usage. */
const [LOWEST, HIGHEST] = [0.1, 20];

interface Figures {
  differences: number[];
  ratios: number[];
}

function spreadOf(figures: readonly number[]): Spread | null {
  const percentiles = percentilesOf(figures, "lower");
  return percentiles && { typical: percentiles.p50, highest: Math.max(...figures) };
}

/** Compares the prompt tokens that endpoints bill with their estimates, in the last 100 requests of this process. */
export class BilledRatioLog {
  readonly ratios = new Map<string, BilledPrompts>();
  readonly #figures = new LRUCache<string, Figures>({
    max: MAX_ENDPOINTS,
    dispose: (_, id, reason) => void (reason === "evict" && this.ratios.delete(id)),
  });

  record(id: string, { billed, estimated }: { billed: number; estimated: number }): void {
    if (billed <= 0 || estimated <= 0) return;
    const figures = this.#figures.get(id) ?? { differences: [], ratios: [] };
    this.#figures.set(id, figures);
    const known = this.ratios.get(id) ?? { differences: null, ratios: null };
    if (isShort(estimated)) {
      figures.differences = appendFigure(figures.differences, billed - estimated);
      this.ratios.set(id, { ...known, differences: spreadOf(figures.differences) });
    } else {
      figures.ratios = appendFigure(figures.ratios, Math.min(HIGHEST, Math.max(LOWEST, billed / estimated)));
      this.ratios.set(id, { ...known, ratios: spreadOf(figures.ratios) });
    }
  }
}

/** The comparisons of this process. */
export const billedRatios = new BilledRatioLog();
