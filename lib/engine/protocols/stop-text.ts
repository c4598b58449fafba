/** Cuts a text, which arrives in pieces, before the first of the sequences that end it. */
export class StopText {
  readonly #sequences: readonly string[];
  readonly #longest: number;
  #held = "";
  isStopped = false;

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences;
    this.#longest = Math.max(0, ...sequences.map(({ length }) => length));
  }

  /** Returns the text that is known to come before every sequence; the beginning of one is held until it is decided. */
  add(piece: string): string {
    if (this.isStopped) return "";
    const text = this.#held + piece;
    const ends = this.#sequences.map((sequence) => text.indexOf(sequence)).filter((at) => at !== -1);
    if (ends.length > 0) {
      this.isStopped = true;
      this.#held = "";
      return text.slice(0, Math.min(...ends));
    }
    const length = this.#possibleStart(text);
    this.#held = text.slice(text.length - length);
    return text.slice(0, text.length - length);
  }

  /** Returns what was held, at the end of the text. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  /** The length of the longest end of a text that a sequence may begin with. */
  #possibleStart(text: string): number {
    for (let length = Math.min(this.#longest - 1, text.length); length > 0; length--) {
      const end = text.slice(text.length - length);
      if (this.#sequences.some((sequence) => sequence.startsWith(end))) return length;
    }
    return 0;
  }
}
