/** Words up to this length are remembered. */
const LONGEST = 40;
const WAYS = 4;
const BITS = 14;

/**
 * Remembers what is known of the words that texts consist of. Memory and time are bounded: a word has four places, and a
 * new word replaces another in one of them. A remembered word is a copy, so that it doesn't retain its text.
 */
export class WordCache<T> {
  readonly #words: (string | undefined)[] = Array.from({ length: WAYS << BITS }, () => undefined);
  readonly #known: (T | undefined)[] = Array.from({ length: WAYS << BITS }, () => undefined);
  #next = 0;

  constructor(private readonly create: (word: string) => T) {}

  /** Returns what is known of the word at `start`–`end` of a text. */
  get(text: string, start: number, end: number): T {
    const length = end - start;
    if (length > LONGEST) return this.create(text.slice(start, end));
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    const place = ((hash ^ (hash >>> 15)) & ((1 << BITS) - 1)) * WAYS;
    for (let slot = place; slot < place + WAYS; slot += 1) {
      const word = this.#words[slot];
      if (word?.length === length && text.startsWith(word, start)) return this.#known[slot] as T;
    }
    const codes = Array.from({ length }, (_, at) => text.charCodeAt(start + at));
    const word = String.fromCharCode(...codes);
    const known = this.create(word);
    const slot = place + (this.#next++ & (WAYS - 1));
    this.#words[slot] = word;
    this.#known[slot] = known;
    return known;
  }
}
