/** Limits the values of a label: the first ones are kept, further ones become `other`, so that callers can't create any number of series. */
export class BoundedLabels {
  readonly #known = new Set<string>();

  of(value: string, most: number): string {
    if (this.#known.has(value)) return value;
    if (this.#known.size >= most) return "other";
    this.#known.add(value);
    return value;
  }
}
