/** Words up to this length are remembered. */
const LONGEST = 40;
const WAYS = 4;
const BITS = 12;

/**
 * Remembers what is known of the words that texts consist of. Memory and time are bounded: a word has four places, and a
 * new word replaces another in one of them. A remembered word is a copy, so that it doesn't retain its text.
 */
export class WordCache<T> {
  readonly #words: (string | undefined)[] = Array.from({ length: WAYS << BITS }, () => undefined);
  readonly #known: (T | undefined)[] = Array.from({ length: WAYS << BITS }, () => undefined);
  readonly #hashes = new Int32Array(WAYS << BITS);
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
      if (this.#hashes[slot] !== hash) continue;
      const word = this.#words[slot];
      if (word?.length === length && isAt(text, start, word)) return this.#known[slot] as T;
    }
    const codes = Array.from({ length }, (_, at) => text.charCodeAt(start + at));
    const word = String.fromCharCode(...codes);
    const known = this.create(word);
    const slot = place + (this.#next++ & (WAYS - 1));
    this.#hashes[slot] = hash;
    this.#words[slot] = word;
    this.#known[slot] = known;
    return known;
  }
}

/** True when a word is at a place; faster than a comparison of strings for short words. */
function isAt(text: string, start: number, word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (text.charCodeAt(start + at) !== word.charCodeAt(at)) return false;
  return true;
}
