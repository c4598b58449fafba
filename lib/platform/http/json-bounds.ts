/** Deepest nesting of a request body. */
export const MAX_DEPTH = 64;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts the values and the depth of a JSON text while its bytes arrive, so that a text over the limits is refused before it is
 * parsed. The count is an upper bound. The parser reports invalid JSON.
 */
export class JsonBounds {
  values = 1;
  #depth = 0;
  #deepest = 0;
  #isInString = false;
  #isEscaped = false;

  get depth(): number {
    return this.#deepest;
  }

  add(bytes: Uint8Array): void {
    let [values, depth, deepest] = [this.values, this.#depth, this.#deepest];
    for (let at = this.#isInString ? this.#endOfString(bytes, 0) : 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) at = this.#endOfString(bytes, at + 1) - 1;
      else if (byte === COMMA) values += 1;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        values += 1;
        depth += 1;
        if (depth > deepest) deepest = depth;
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    }
    this.values = values;
    this.#depth = depth;
    this.#deepest = deepest;
  }

  /** Returns the index after the end of the string at an index. A native search takes a fraction of a loop's time. */
  #endOfString(bytes: Uint8Array, from: number): number {
    let start = this.#isEscaped ? from + 1 : from;
    if (start > bytes.length) {
      this.#isInString = true;
      return bytes.length;
    }
    for (;;) {
      const quote = bytes.indexOf(QUOTE, start);
      const end = quote < 0 ? bytes.length : quote;
      let first = end;
      while (first > start && bytes[first - 1] === BACKSLASH) first -= 1;
      const isEscaped = (end - first) % 2 === 1;
      if (quote < 0) {
        this.#isInString = true;
        this.#isEscaped = isEscaped;
        return bytes.length;
      }
      if (!isEscaped) {
        this.#isInString = this.#isEscaped = false;
        return quote + 1;
      }
      start = quote + 1;
    }
  }
}
