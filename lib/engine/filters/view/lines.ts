import { lastAtMost, NO_NUMBERS, withRoom } from "./view";

/** The lines of a run of digits: a text may have millions. */
export class Lines {
  count = 0;
  #places = NO_NUMBERS;

  /** @param from Index of the first digit in the units of the run. */
  add(start: number, end: number, from: number): void {
    const at = 3 * this.count;
    this.#places = withRoom(this.#places, at + 3);
    this.#places[at] = start;
    this.#places[at + 1] = end;
    this.#places[at + 2] = from;
    this.count += 1;
  }

  start(line: number): number {
    return this.#places[3 * line] as number;
  }

  end(line: number): number {
    return this.#places[3 * line + 1] as number;
  }

  from(line: number): number {
    return this.#places[3 * line + 2] as number;
  }

  /** Returns the offset in the text of a digit, by its index in the units of the run. */
  offsetOf(digit: number): number {
    const line = lastAtMost(this.count, (at) => this.from(at), digit);
    return this.start(line) + digit - this.from(line);
  }
}
