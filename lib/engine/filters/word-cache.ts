/** Words up to this length are remembered. */
const LONGEST = 40;
/** Length up to which the characters of a word of Latin-1 fit into two integers. */
const PACKED = 8;
const WAYS = 4;
const BITS = 12;
/** Integers of a slot: the characters or two hashes, and the length, negative for characters; one line of a CPU's cache has four. */
const STRIDE = 4;

/**
 * Remembers what is known of the words that texts consist of. Memory and time are bounded: a word has four places, and a
 * new word replaces another in one of them. A remembered word is a copy, so that it doesn't retain its text.
 */
export class WordCache<T> {
  readonly #slots = new Int32Array((WAYS << BITS) * STRIDE);
  readonly #known: (T | undefined)[] = Array.from({ length: WAYS << BITS }, () => undefined);
  /** Words that two integers don't identify. */
  readonly #words: (string | undefined)[] = Array.from({ length: WAYS << BITS }, () => undefined);
  /** Single characters of ASCII. */
  readonly #single: (T | undefined)[] = Array.from({ length: 128 }, () => undefined);
  #next = 0;

  constructor(private readonly create: (word: string) => T) {}

  /** Returns what is known of the word at `start`–`end` of a text with its code units. */
  get(text: string, units: Uint16Array, start: number, end: number): T {
    const length = end - start;
    if (length === 1 && (units[start] as number) < 128) return this.#singleOf(units[start] as number);
    if (length > LONGEST) return this.create(text.slice(start, end));
    let low = 0;
    let high = 0;
    let all = length > PACKED ? 256 : 0;
    if (all === 0)
      for (let at = start; at < end; at += 1) {
        const unit = units[at] as number;
        all |= unit;
        high = (high << 8) | (low >>> 24);
        low = (low << 8) | unit;
      }
    const isPacked = all < 256;
    if (!isPacked) {
      low = 0x811c9dc5 | 0;
      high = length;
      for (let at = start; at < end; at += 1) {
        const unit = units[at] as number;
        low = Math.imul(low ^ unit, 0x01000193);
        high = Math.imul(high + unit, 0x9e3779b1);
      }
    }
    const size = isPacked ? -length : length;
    const mixed = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
    const place = ((mixed ^ (mixed >>> 15)) & ((1 << BITS) - 1)) * WAYS;
    const slots = this.#slots;
    for (let way = place; way < place + WAYS; way += 1) {
      const slot = way * STRIDE;
      if (slots[slot] === low && slots[slot + 1] === high && slots[slot + 2] === size)
        if (isPacked || isAt(units, start, this.#words[way] as string)) return this.#known[way] as T;
    }
    const word = String.fromCharCode(...units.subarray(start, end));
    const known = this.create(word);
    const way = place + (this.#next++ & (WAYS - 1));
    slots[way * STRIDE] = low;
    slots[way * STRIDE + 1] = high;
    slots[way * STRIDE + 2] = size;
    this.#words[way] = isPacked ? undefined : word;
    this.#known[way] = known;
    return known;
  }

  #singleOf(unit: number): T {
    const known = this.#single[unit];
    if (known !== undefined) return known;
    const created = this.create(String.fromCharCode(unit));
    this.#single[unit] = created;
    return created;
  }
}

function isAt(units: Uint16Array, start: number, word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (units[start + at] !== word.charCodeAt(at)) return false;
  return true;
}
