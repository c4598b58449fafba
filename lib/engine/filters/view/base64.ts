import "server-only";
import { unitsOf } from "../code-units";
import { longRuns } from "../long-runs";
import { DecodedTexts, isTextByte, LONG, SHORTEST, SHORTEST_IN_LONG } from "./decoded-text";
import { Lines } from "./lines";
import type { View } from "./view";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Values of the digits of both alphabets, by code unit; 64 for other characters. */
const DIGITS = new Uint8Array(65536).fill(64);
for (let value = 0; value < 64; value += 1) DIGITS[ALPHABET.charCodeAt(value)] = value;
DIGITS["-".charCodeAt(0)] = 62;
DIGITS["_".charCodeAt(0)] = 63;
const DIGIT = 1;
const KINDS = DIGITS.map((value) => (value === 64 ? 0 : DIGIT));
/** Length of the shortest run that may encode text, in digits. */
export const SHORTEST_RUN = 12;

/** A run of digits, possibly over several lines. */
interface Run {
  start: number;
  end: number;
  /** The code units of the digits without what is between them, from `from` to `to`. */
  units: Uint16Array;
  from: number;
  to: number;
  /** The lines of a run over several lines. */
  lines: Lines | null;
}

/** Returns the offset in the text of a digit, by its index in the units of a run. */
const offsetOf = (lines: Run["lines"], index: number) => (lines ? lines.offsetOf(index) : index);

/** Bytes of ASCII that a run must contain to be decoded. */
const SHORTEST_ASCII = 9;
/** Number of digits that encode three bytes, and of ways to divide a run into such groups. */
const GROUP = 4;

/** Returns a byte of the digits that start at `from`. */
function byteAt(units: Uint16Array, from: number, index: number): number {
  const group = (index / 3) | 0;
  const place = index - 3 * group;
  const at = from + 4 * group + place;
  const [one, other] = [DIGITS[units[at] as number] as number, DIGITS[units[at + 1] as number] as number];
  if (place === 0) return (one << 2) | (other >> 4);
  return place === 1 ? ((one & 15) << 4) | (other >> 2) : ((one & 3) << 6) | other;
}

function bytesOf(units: Uint16Array, from: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = from;
  for (let index = 0; index < size; index += 3, at += GROUP) {
    const bits =
      ((DIGITS[units[at] as number] as number) << 18) |
      ((DIGITS[units[at + 1] as number] as number) << 12) |
      ((DIGITS[units[at + 2] as number] as number) << 6) |
      (DIGITS[units[at + 3] as number] as number);
    bytes[index] = bits >> 16;
    bytes[index + 1] = bits >> 8;
    bytes[index + 2] = bits;
  }
  return bytes;
}

/** Places of a byte in a group of four digits, as bits, at which two digits are ASCII text. */
const ASCII_PLACES = new Uint8Array(65 * 65);
for (let one = 0; one < 64; one += 1)
  for (let other = 0; other < 64; other += 1)
    ASCII_PLACES[one * 65 + other] =
      (isTextByte((one << 2) | (other >> 4)) ? 1 : 0) |
      (isTextByte(((one & 15) << 4) | (other >> 2)) ? 2 : 0) |
      (isTextByte(((one & 3) << 6) | other) ? 4 : 0);

/** True when the four digits at an index are ASCII text. */
function isAsciiGroup(units: Uint16Array, at: number): boolean {
  const [one, two] = [DIGITS[units[at] as number] as number, DIGITS[units[at + 1] as number] as number];
  if (((ASCII_PLACES[one * 65 + two] as number) & 1) === 0) return false;
  const three = DIGITS[units[at + 2] as number] as number;
  if (((ASCII_PLACES[two * 65 + three] as number) & 2) === 0) return false;
  const four = DIGITS[units[at + 3] as number] as number;
  return ((ASCII_PLACES[three * 65 + four] as number) & 4) !== 0;
}

/** True when the first bytes are text, ASCII or not. */
function startsWithText(units: Uint16Array, from: number, length: number): boolean {
  /** Number of bytes that must continue a character in UTF-8. */
  let open = 0;
  for (let index = 0; index < Math.min(length, SHORTEST_ASCII); index += 1) {
    const byte = byteAt(units, from, index);
    if (byte < 128 ? open > 0 || !isTextByte(byte) : byte < 192 !== open > 0) return false;
    if (byte >= 192) open = byte < 224 ? 1 : byte < 240 ? 2 : 3;
    else if (open > 0) open -= 1;
  }
  return length >= SHORTEST;
}

/** True when several bytes of ASCII follow each other: two groups, of which every second one is examined, and more. */
function hasAscii(units: Uint16Array, from: number, to: number): boolean {
  for (let at = from + GROUP; at + GROUP <= to; at += 2 * GROUP) {
    if (!isAsciiGroup(units, at)) continue;
    const isAfter = at + 2 * GROUP <= to && isAsciiGroup(units, at + GROUP);
    if (!isAfter && !isAsciiGroup(units, at - GROUP)) continue;
    const index = ((at - from) / GROUP) * 3;
    const size = sizeOf(from, to);
    const shortest = size < LONG ? SHORTEST_ASCII : SHORTEST_IN_LONG;
    let [first, last] = [index, index + 3];
    while (first > 0 && index - first < shortest && isTextByte(byteAt(units, from, first - 1))) first -= 1;
    while (last < size && last - index < shortest && isTextByte(byteAt(units, from, last))) last += 1;
    if (last - first >= shortest) return true;
  }
  return false;
}

/** Returns the number of bytes that digits encode. */
const sizeOf = (from: number, to: number): number => Math.max(0, ((to - from) * 3) >> 2);

/** True when the bytes of some line, grouped like those from `first` on, start with text. */
function hasLineWithText(units: Uint16Array, first: number, to: number, lines: Lines): boolean {
  for (let line = 0; line < lines.count; line += 1) {
    const from = lines.from(line);
    if ((from - first) % GROUP === 0 && startsWithText(units, from, sizeOf(from, to))) return true;
  }
  return false;
}

/** Returns the places of the first group with which digits may encode text, as bits. */
function groupingsOf(units: Uint16Array, from: number, to: number, lines: Lines | null): number {
  let found = 0;
  for (let place = 0; place < GROUP; place += 1) {
    const first = from + place;
    if (
      hasAscii(units, first, to) ||
      startsWithText(units, first, sizeOf(first, to)) ||
      (lines !== null && hasLineWithText(units, first, to, lines))
    )
      found |= 1 << place;
  }
  return found;
}

/**
 * Decodes the texts in a run of base64, wherever they start: what is before them, such as a letter or a path, only shifts
 * the groups of four digits.
 * @param groupings Those of `groupingsOf`.
 */
function textsIn({ units, from, to, start, end, lines }: Run, groupings: number): View | null {
  const texts = new DecodedTexts();
  for (let first = from; first < from + GROUP; first += 1) {
    if ((groupings & (1 << (first - from))) === 0) continue;
    const size = sizeOf(first, to);
    texts.add(bytesOf(units, first, size), (left, right) => ({
      start: first === from && left === 0 ? start : offsetOf(lines, first + Math.floor((left * 4) / 3)),
      end: right === size ? end : offsetOf(lines, first + Math.ceil((right * 4) / 3) - 1) + 1,
    }));
  }
  return texts.view();
}

const [TAB, BREAK, RETURN, SPACE, QUOTE] = [9, 10, 13, 32, 62];
const isBlank = (unit: number) => unit === SPACE || unit === TAB || unit === RETURN;
const isDigit = (unit: number) => (DIGITS[unit] as number) < 64;

/** A run of digits over several lines. */
interface Wrapped {
  start: number;
  end: number;
  lines: Lines;
  /** Number of digits. */
  length: number;
}

/** Returns the runs of at least `shortest` digits that continue over line breaks; lines may be indented or quoted. */
function wrappedRuns(text: string, units: Uint16Array, shortest: number): Wrapped[] {
  const runs: Wrapped[] = [];
  let past = 0;
  for (let at = text.indexOf("\n"); at >= 0;) {
    let next = at + 1;
    while (isBlank(units[next] as number) || units[next] === BREAK || units[next] === QUOTE) next += 1;
    let end = at;
    while (end > past && isBlank(units[end - 1] as number)) end -= 1;
    if (isDigit(units[next] as number) && end > past && isDigit(units[end - 1] as number)) {
      let start = end;
      while (start > past && isDigit(units[start - 1] as number)) start -= 1;
      const lines = new Lines();
      lines.add(start, end, 0);
      let length = end - start;
      for (let line: number | null = next; line !== null;) {
        let to = line;
        while (isDigit(units[to] as number)) to += 1;
        lines.add(line, to, length);
        length += to - line;
        past = to;
        line = nextLine(units, to);
      }
      if (length >= shortest) runs.push({ start, end: past, lines, length });
      next = past;
    }
    at = text.indexOf("\n", next);
  }
  return runs;
}

/** Returns where the digits continue on the next line; null when they don't. */
function nextLine(units: Uint16Array, end: number): number | null {
  let at = end;
  while (isBlank(units[at] as number)) at += 1;
  if (units[at] !== BREAK) return null;
  while (isBlank(units[at] as number) || units[at] === BREAK || units[at] === QUOTE) at += 1;
  return isDigit(units[at] as number) ? at : null;
}

/** The digits of a run over several lines; the array is used again. */
let digits = new Uint16Array(256);

function joined(units: Uint16Array, { start, end, lines, length }: Wrapped): Run {
  if (digits.length <= length) digits = new Uint16Array(2 * length);
  let to = 0;
  for (let line = 0; line < lines.count; line += 1)
    for (let at = lines.start(line); at < lines.end(line); at += 1, to += 1) digits[to] = units[at] as number;
  digits[length] = 0;
  return { start, end, units: digits, from: 0, to: length, lines };
}

/** The texts of the last text, for which several readers ask. */
let last: { text: string; views: readonly View[] } = { text: "", views: [] };

/** Returns the texts in runs of at least `SHORTEST_RUN` digits of base64: words, and lines that follow each other. */
export function base64In(text: string): readonly View[] {
  if (last.text === text) return last.views;
  const units = unitsOf(text);
  const wrapped = text.includes("\n") ? wrappedRuns(text, units, SHORTEST_RUN) : [];
  const views: View[] = [];
  const add = (run: Run) => {
    const groupings = groupingsOf(run.units, run.from, run.to, run.lines);
    const texts = groupings === 0 ? null : textsIn(run, groupings);
    if (texts) views.push(texts);
  };
  let place = 0;
  for (const { start, end } of longRuns(text, KINDS, DIGIT, SHORTEST_RUN)) {
    while (place < wrapped.length && (wrapped[place] as Wrapped).end <= start) place += 1;
    const isLine = place < wrapped.length && (wrapped[place] as Wrapped).start <= start;
    if (!isLine) add({ start, end, units, from: start, to: end, lines: null });
  }
  for (const each of wrapped) add(joined(units, each));
  last = { text, views };
  return views;
}
