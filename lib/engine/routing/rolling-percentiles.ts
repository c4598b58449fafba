import type { Percentiles } from "../endpoint";

/** Number of the latest figures retained per endpoint. */
const MAX_FIGURES = 100;

/** The latest figures, in order of arrival and in order of size, since every request adds one and reads some. */
export class RollingFigures {
  readonly #latest: number[] = [];
  readonly #sorted: number[] = [];

  /** Adds a figure, dropping the oldest beyond the limit. */
  add(figure: number): void {
    if (this.#latest.length === MAX_FIGURES) this.#sorted.splice(this.#placeOf(this.#latest.shift() as number), 1);
    this.#latest.push(figure);
    this.#sorted.splice(this.#placeOf(figure), 0, figure);
  }

  /** Returns the figure at a rank, given as a share (nearest rank); NaN without figures. */
  at(share: number): number {
    return this.#sorted[Math.ceil(share * this.#sorted.length) - 1] ?? NaN;
  }

  /** Returns the figures that 50%, 75% … of measurements meet or exceed (nearest rank); null without measurements. */
  percentiles(better: "lower" | "higher"): Percentiles | null {
    const { length } = this.#sorted;
    if (length === 0) return null;
    const at = (share: number) =>
      better === "lower" ? this.at(share) : (this.#sorted[length - Math.ceil(share * length)] ?? NaN);
    return { p50: at(0.5), p75: at(0.75), p90: at(0.9), p99: at(0.99) };
  }

  /** Returns the first place with a figure that isn't smaller. */
  #placeOf(figure: number): number {
    let [from, to] = [0, this.#sorted.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#sorted[middle] as number) < figure) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
