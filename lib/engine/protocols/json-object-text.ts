import { objectIn } from "../../platform/json-values";

/** Finds the first JSON object of a text that arrives in pieces, and skips the text around it. */
export class JsonObjectText {
  #text = "";
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  #isClosed = false;

  /** Returns the part of a piece that belongs to the object. */
  add(piece: string): string {
    if (this.#isClosed) return "";
    const from = this.#depth > 0 ? 0 : piece.indexOf("{");
    if (from === -1) return "";
    let to = from;
    while (to < piece.length && !this.#closes(piece[to] ?? "")) to++;
    const text = piece.slice(from, to + 1);
    this.#text += text;
    return text;
  }

  /** True for a complete object. */
  get isComplete(): boolean {
    return this.#isClosed && objectIn(this.#text) !== null;
  }

  /** Reads the next character; returns true if it ends the object. */
  #closes(character: string): boolean {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isString && character === "\\") this.#isEscaped = true;
    else if (character === '"') this.#isString = !this.#isString;
    else if (!this.#isString && (character === "{" || character === "[")) this.#depth++;
    else if (!this.#isString && (character === "}" || character === "]")) this.#isClosed = --this.#depth === 0;
    return this.#isClosed;
  }
}
