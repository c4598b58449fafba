import "server-only";
import { Buffer } from "node:buffer";
import { lastAtMost, type TextForm } from "./text-form";

/** Minimum length of a text in bytes, and in data of `LONG` bytes or more, which contains short texts by chance. */
const [SHORTEST, SHORTEST_IN_LONG] = [9, 11];
const LONG = 48;
const shortestIn = ({ length }: Uint8Array) => (length < LONG ? SHORTEST : SHORTEST_IN_LONG);
/** Maximum number of consecutive bytes within a stretch that aren't text. */
const MOST_BETWEEN = 2;

/** True for printable ASCII and white space. */
const isTextByte = (byte: number) => (byte >= 32 && byte < 127) || (byte > 8 && byte < 14);
const isLetter = (byte: number) => (byte > 64 && byte < 91) || (byte > 96 && byte < 123);
const isDecimal = (byte: number) => byte > 47 && byte < 58;

/** Regular words and numbers: lower-case, upper-case and capitalized words, separate short words, several digits. */
const REGULAR =
  /\p{Lu}\p{Ll}{2,}|\p{Ll}{3,}|\p{Lu}{3,}|[\p{Lo}\p{Lm}\p{M}]{2,}|(?<!\S)\p{L}{1,2}(?!\S)|\p{Nd}{2,}(?:[-.:/]\p{Nd}{2,})*/gu;
/** Matches numbers, words with a vowel, and words with characters beyond ASCII. */
const PRONOUNCEABLE = /[\daeiouy]|[^\p{ASCII}]/iu;
/** 16 consecutive characters of a key, a path or an identifier. */
const TOKEN = /[\p{L}\p{M}\p{N} ._/+=:,@-]{16}/u;
/** Characters that don't count: white space, control characters, and the punctuation of JSON and markup. */
const BETWEEN = /[\s\p{Cc}"{}[\]<>:,;=]+/gu;
/** Maximum number of code units that are examined, from the start. */
const LONGEST_SAMPLE = 400;

/**
 * True for natural language and for values such as keys; false for the characters that numbers, hashes and binary data
 * decode to by chance. At least three quarters of a text must be regular words and numbers.
 */
export function isText(text: string): boolean {
  const sample = text.slice(0, LONGEST_SAMPLE);
  if (TOKEN.test(sample)) return true;
  let regular = 0;
  for (const [word] of sample.matchAll(REGULAR)) if (PRONOUNCEABLE.test(word)) regular += word.length;
  return 4 * regular >= 3 * sample.replace(BETWEEN, "").length;
}

/** Returns the number of bytes of the character that starts at `at`; 0 when it isn't text in UTF-8. */
function characterAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 128) return isTextByte(first) ? 1 : 0;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (let next = 1; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1] ?? 0;
  // C1 control characters (U+0080 to U+009F) aren't text either.
  const isOverlong =
    (first === 0xc2 && second < 0xa0) || (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
  const isOutside = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f);
  return isOverlong || isOutside ? 0 : length;
}

/** True when the bytes contain a text of the minimum length without interruption. */
function hasText(bytes: Uint8Array): boolean {
  const shortest = shortestIn(bytes);
  let whole = 0;
  for (let at = 0; at < bytes.length;) {
    const length = characterAt(bytes, at);
    whole = length > 0 ? whole + length : 0;
    if (whole >= shortest) return true;
    at += length || 1;
  }
  return false;
}

/** A range of bytes that are text, with few exceptions. */
interface Stretch {
  start: number;
  end: number;
  /** Offsets of the bytes that aren't text. */
  others: number[];
}

function stretchesOf(bytes: Uint8Array): Stretch[] {
  const found: Stretch[] = [];
  const shortest = shortestIn(bytes);
  let [start, end, whole, longest] = [0, 0, 0, 0];
  let others: number[] = [];
  const close = (at: number) => {
    if (longest >= shortest) found.push({ start, end: at, others: others.filter((other) => other < at) });
  };
  for (let at = 0; at < bytes.length;) {
    const length = characterAt(bytes, at);
    if (length > 0) {
      at += length;
      end = at;
      whole += length;
      if (whole > longest) longest = whole;
      continue;
    }
    whole = 0;
    others.push(at);
    at += 1;
    if (at - end <= MOST_BETWEEN) continue;
    close(end);
    [start, end, longest] = [at, at, 0];
    others = [];
  }
  close(bytes.length);
  return found;
}

/**
 * Returns the text of a stretch. Of the other bytes, control characters and Latin-1 letters within a word are retained;
 * the rest become line breaks.
 */
function textOf(bytes: Uint8Array, { start, end, others }: Stretch): string {
  const decoded = (from: number, to: number) =>
    Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8");
  if (others.length === 0) return decoded(start, end);
  const pieces: string[] = [];
  let from = start;
  for (const other of others) {
    pieces.push(decoded(from, other));
    const byte = bytes[other] as number;
    const isLatin = byte >= 0xc0 && isLetter(bytes[other - 1] ?? 0) && !isDecimal(bytes[other + 1] ?? 0);
    pieces.push(byte < 128 || isLatin ? String.fromCharCode(byte) : "\n");
    from = other + 1;
  }
  pieces.push(decoded(from, end));
  return pieces.join("");
}

/** Collects the texts in decoded bytes as the lines of a form, which maps each to the digits that encode it. */
export class DecodedTexts {
  readonly #pieces: string[] = [];
  /** Start of each text in the form. */
  readonly #places: number[] = [];
  readonly #spans: { start: number; end: number }[] = [];
  #length = 0;

  /** @param spanOf Returns the span of the digits that encode a range of bytes. */
  add(bytes: Uint8Array, spanOf: (start: number, end: number) => { start: number; end: number }): void {
    if (!hasText(bytes)) return;
    for (const stretch of stretchesOf(bytes)) {
      const text = textOf(bytes, stretch);
      if (!isText(text)) continue;
      this.#pieces.push(text);
      this.#places.push(this.#length);
      this.#length += text.length + 1;
      this.#spans.push(spanOf(stretch.start, stretch.end));
    }
  }

  /** Returns the collected texts; null if there are none. */
  form(): TextForm | null {
    if (this.#pieces.length === 0) return null;
    const spanAt = (place: number) =>
      this.#spans[lastAtMost(this.#places.length, (at) => this.#places[at] as number, place)] as {
        start: number;
        end: number;
      };
    return {
      text: this.#pieces.join("\n"),
      span: (left, right) => {
        const [one, other] = [spanAt(left), spanAt(Math.max(left, right - 1))];
        return { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) };
      },
    };
  }
}
