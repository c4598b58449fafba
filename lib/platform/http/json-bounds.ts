/** Deepest nesting of a request body. */
export const MAX_DEPTH = 64;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts the values and the depth of a JSON text while its bytes arrive, so that a text with too many is refused before
 * anything is parsed. The count is an upper bound; invalid JSON is left to the parser.
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
    let [values, depth, deepest, isInString, isEscaped] = [
      this.values,
      this.#depth,
      this.#deepest,
      this.#isInString,
      this.#isEscaped,
    ];
    for (const byte of bytes) {
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
      } else if (byte === QUOTE) isInString = true;
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
    this.#isInString = isInString;
    this.#isEscaped = isEscaped;
  }
}
