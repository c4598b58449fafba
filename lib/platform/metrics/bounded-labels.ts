/** Values of a label: the first ones, then `other`, so that callers can't make a process keep ever more series. */
export class BoundedLabels {
  readonly #known = new Set<string>();

  of(value: string, most: number): string {
    if (this.#known.has(value)) return value;
    if (this.#known.size >= most) return "other";
    this.#known.add(value);
    return value;
  }
}
