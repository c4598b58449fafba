import { LRUCache } from "lru-cache";
import { RollingFigures } from "../../engine/routing/rolling-percentiles";
import { isShort, SHORT_PROMPT, type BilledPrompts, type Spread } from "../../engine/tokens/billed-ratio";

/** Maximum number of endpoints tracked; the least recently used is evicted. */
const MAX_ENDPOINTS = 5000;
/** Ratios outside this range come from an upstream that reports wrong usage. */
const [LOWEST, HIGHEST] = [0.1, 20];

interface Figures {
  differences: RollingFigures;
  ratios: RollingFigures;
}

function spreadWith(figures: RollingFigures, figure: number): Spread {
  figures.add(figure);
  return { typical: figures.at(0.5), highest: figures.at(1) };
}

/** Compares the prompt tokens that endpoints bill with their estimates, over the last 100 requests to this process. */
export class BilledRatioLog {
  readonly ratios = new Map<string, BilledPrompts>();
  readonly #figures = new LRUCache<string, Figures>({
    max: MAX_ENDPOINTS,
    dispose: (_, id, reason) => void (reason === "evict" && this.ratios.delete(id)),
  });

  record(id: string, { billed, estimated }: { billed: number; estimated: number }): void {
    if (billed <= 0 || estimated <= 0) return;
    const figures = this.#figures.get(id) ?? { differences: new RollingFigures(), ratios: new RollingFigures() };
    this.#figures.set(id, figures);
    const known = this.ratios.get(id) ?? { differences: null, ratios: null };
    if (isShort(estimated)) {
      const difference = Math.min(HIGHEST * SHORT_PROMPT, billed - estimated);
      this.ratios.set(id, { ...known, differences: spreadWith(figures.differences, difference) });
    } else {
      const ratio = Math.min(HIGHEST, Math.max(LOWEST, billed / estimated));
      this.ratios.set(id, { ...known, ratios: spreadWith(figures.ratios, ratio) });
    }
  }
}

/** The comparisons of this process. */
export const billedRatios = new BilledRatioLog();
