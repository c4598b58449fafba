/** Summands of the hash of a word of ASCII letters, by code unit. */
export const SUMMANDS = new Int32Array(128);
for (let code = 0; code < 128; code += 1) {
  const letter = code | 32;
  SUMMANDS[code] = Math.imul(letter ^ 0x5bd1, 0x9e3779b1) ^ Math.imul(letter, 0x85ebca6b);
}

/** Hashes a word by the sum of its summands: neither case nor the order of the inner letters matters. */
export function wordHash(sum: number, first: number, last: number): number {
  const hash = sum + Math.imul(first | 32, 0x2c1b3c6d) + Math.imul(last | 32, 0x297a2d39);
  return hash ^ (hash >>> 15);
}

/** Hashes a word of ASCII letters. */
export function hashOf(word: string): number {
  let sum = 0;
  for (let at = 0; at < word.length; at += 1) sum += SUMMANDS[word.charCodeAt(at)] ?? 0;
  return wordHash(sum | 0, word.charCodeAt(0), word.charCodeAt(word.length - 1));
}

/** Hashes the word of ASCII letters at a place. */
export function hashAt(units: Uint16Array, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at += 1) sum = (sum + (SUMMANDS[units[at] as number] as number)) | 0;
  return wordHash(sum, units[start] as number, units[end - 1] as number);
}

/** A set of words of ASCII letters that may contain others with the same letters, never fewer. */
export class WordFilter {
  readonly #bits: Uint8Array;
  readonly #mask: number;

  /** @param size Number of bits, as a power of two. */
  constructor(words: Iterable<string>, size: number) {
    this.#bits = new Uint8Array(1 << (size - 3));
    this.#mask = (1 << size) - 1;
    for (const word of words) {
      const place = hashOf(word) & this.#mask;
      this.#bits[place >> 3] = (this.#bits[place >> 3] as number) | (1 << (place & 7));
    }
  }

  /** True when the set may contain the word of a hash. */
  mayHave(hash: number): boolean {
    const place = hash & this.#mask;
    return (((this.#bits[place >> 3] as number) >>> (place & 7)) & 1) === 1;
  }
}
