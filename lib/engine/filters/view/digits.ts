import { unitsOf } from "../code-units";
import { longRuns } from "../long-runs";
import { DecodedTexts } from "./decoded-text";
import type { View } from "./view";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEXADECIMAL = "0123456789abcdef";
/** Values of digits by code unit, 64 for other characters. */
const valuesOf = (alphabet: string) => {
  const values = new Uint8Array(65536).fill(64);
  for (const [value, digit] of Array.from(alphabet).entries()) values[digit.charCodeAt(0)] = value;
  return values;
};
const BASE32_VALUES = valuesOf(BASE32);
const HEXADECIMAL_VALUES = valuesOf(HEXADECIMAL);
for (const digit of "ABCDEF") HEXADECIMAL_VALUES[digit.charCodeAt(0)] = HEXADECIMAL.indexOf(digit.toLowerCase());

/** Kinds of characters as bits by code unit. */
const [OF_BASE32, OF_GROUPS] = [1, 2];
const KINDS = new Uint8Array(65536);
for (let code = 0; code < 128; code += 1)
  KINDS[code] =
    ((BASE32_VALUES[code] as number) < 64 ? OF_BASE32 : 0) |
    (/[\dA-Fa-fx\s:,>-]/.test(String.fromCharCode(code)) ? OF_GROUPS : 0);

/** Digits of ten bytes, and of eight. */
const [SHORTEST_BASE32, SHORTEST_HEXADECIMAL] = [16, 16];

function base32Bytes(units: Uint16Array): Uint8Array {
  const bytes = new Uint8Array(Math.floor((units.length * 5) / 8));
  let [rest, size, at] = [0, 0, 0];
  for (const unit of units) {
    rest = ((rest << 5) | (BASE32_VALUES[unit] as number)) & 0xfff;
    size += 5;
    if (size < 8) continue;
    size -= 8;
    bytes[at] = rest >> size;
    at += 1;
  }
  return bytes;
}

/** Returns the texts in words of base32 in capitals. */
export function base32In(text: string): View[] {
  const units = unitsOf(text);
  return longRuns(text, KINDS, OF_BASE32, SHORTEST_BASE32).flatMap((run) => {
    const texts = new DecodedTexts();
    const bytes = base32Bytes(units.subarray(run.start, run.end));
    texts.add(bytes, (start, end) => ({
      start: run.start + Math.floor((start * 8) / 5),
      end: end === bytes.length ? run.end : run.start + Math.ceil((end * 8) / 5),
    }));
    return texts.view() ?? [];
  });
}

/** Bytes in hexadecimal digits, and what may be between two such groups. */
const GROUP = /(?<![\dA-Za-z])(?:0x)?((?:[\dA-Fa-f]{2})+)(?![\dA-Za-z])/y;
const BETWEEN = /[:,-]?[\s>]{1,40}|[:,-]/y;
/** Number of groups from which short ones are decoded. */
const FEWEST = 4;
const HAS_LETTER = /\p{L}/u;

function hasDigits(units: Uint16Array, from: number, to: number): boolean {
  let digits = 0;
  for (let at = from; at < to && digits < SHORTEST_HEXADECIMAL; at += 1)
    if ((HEXADECIMAL_VALUES[units[at] as number] as number) < 64) digits += 1;
  return digits === SHORTEST_HEXADECIMAL;
}

/** Groups of hexadecimal digits that follow each other. */
class Groups {
  count = 0;
  readonly #bytes: number[] = [];
  /** Start and end of each byte. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** @param start Start of the group, which may have a prefix before its digits. */
  add(units: Uint16Array, start: number, digits: number, end: number): void {
    this.count += 1;
    for (let at = digits; at < end; at += 2) {
      const [high, low] = [HEXADECIMAL_VALUES[units[at] as number], HEXADECIMAL_VALUES[units[at + 1] as number]];
      this.#bytes.push(((high as number) << 4) | (low as number));
      this.#starts.push(at === digits ? start : at);
      this.#ends.push(at + 2);
    }
  }

  /** Returns the texts that the groups encode; null without one. A series of numbers decodes to digits, without letters. */
  view(): View | null {
    if (this.count < FEWEST && 2 * this.#bytes.length < SHORTEST_HEXADECIMAL) return null;
    const texts = new DecodedTexts();
    texts.add(Uint8Array.from(this.#bytes), (start, end) => ({
      start: this.#starts[start] as number,
      end: this.#ends[end - 1] as number,
    }));
    const view = texts.view();
    return view && (this.count === 1 || HAS_LETTER.test(view.text)) ? view : null;
  }
}

/** Returns the texts in hexadecimal digits, in a word or in groups: 616c6963, 61 6c 69 63, 0x61, 0x6c or 616c 6963. */
export function hexadecimalIn(text: string): View[] {
  const found: View[] = [];
  const units = unitsOf(text);
  for (const run of longRuns(text, KINDS, OF_GROUPS, SHORTEST_HEXADECIMAL)) {
    if (!hasDigits(units, run.start, run.end)) continue;
    let groups = new Groups();
    const close = () => {
      const view = groups.view();
      if (view) found.push(view);
      groups = new Groups();
    };
    for (let at = run.start; at < run.end;) {
      const isDigit = (HEXADECIMAL_VALUES[units[at] as number] as number) < 64;
      GROUP.lastIndex = at;
      const digits = isDigit ? GROUP.exec(text)?.[1] : undefined;
      if (digits === undefined) {
        if (groups.count > 0) close();
        at += 1;
        continue;
      }
      const end = GROUP.lastIndex;
      groups.add(units, at, end - digits.length, end);
      BETWEEN.lastIndex = end;
      const isFollowed = BETWEEN.test(text);
      at = isFollowed ? BETWEEN.lastIndex : end;
      if (!isFollowed) close();
    }
    if (groups.count > 0) close();
  }
  return found;
}
