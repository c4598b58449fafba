/** Cuts a text that arrives in pieces before the first stop sequence. */
export class StopText {
  readonly #sequences: readonly string[];
  readonly #longest: number;
  #held = "";
  isStopped = false;

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences;
    this.#longest = Math.max(0, ...sequences.map(({ length }) => length));
  }

  /** Returns the text before any possible stop sequence. A possible beginning of one is held back. */
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

  /** Returns the held text at the end. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  /** Returns the length of the longest suffix that may begin a stop sequence. */
  #possibleStart(text: string): number {
    for (let length = Math.min(this.#longest - 1, text.length); length > 0; length--) {
      const end = text.slice(text.length - length);
      if (this.#sequences.some((sequence) => sequence.startsWith(end))) return length;
    }
    return 0;
  }
}
