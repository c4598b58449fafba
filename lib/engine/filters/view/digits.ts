import { unitsOf } from "../code-units";
import { longRuns } from "../long-runs";

/** Bytes that are written as digits of base32, or as groups of hexadecimal digits. */
export interface DigitRun {
  start: number;
  end: number;
  bytes: Uint8Array;
}

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
    (/[\dA-Fa-fx\s:,-]/.test(String.fromCharCode(code)) ? OF_GROUPS : 0);

/** Digits of ten bytes, and characters of eight pairs with something between. */
const [SHORTEST_BASE32, SHORTEST_GROUPS] = [16, 23];

/** Decodes digits of as many bits each; bits that don't fill a byte are left out. */
function decoded(values: Uint8Array, bits: number, units: Uint16Array | number[]): Uint8Array {
  const bytes = new Uint8Array(Math.floor((units.length * bits) / 8));
  let [rest, size, at] = [0, 0, 0];
  for (const unit of units) {
    rest = ((rest << bits) | (values[unit] as number)) & 0xfff;
    size += bits;
    if (size < 8) continue;
    size -= 8;
    bytes[at] = rest >> size;
    at += 1;
  }
  return bytes;
}

/** Finds words of base32 in capitals. */
export function base32In(text: string): DigitRun[] {
  const units = unitsOf(text);
  return longRuns(text, KINDS, OF_BASE32, SHORTEST_BASE32).map(({ start, end }) => ({
    start,
    end,
    bytes: decoded(BASE32_VALUES, 5, units.subarray(start, end)),
  }));
}

/** One to four bytes, and what may be between two such groups. */
const GROUP = /(?<![\dA-Za-z])(?:0x)?((?:[\dA-Fa-f]{2}){1,4})(?![\dA-Za-z])/y;
const BETWEEN = /(?:[:,-]\s{0,2}|\s{1,3})/y;
/** Number of groups from which they are decoded, and of their digits. */
const [FEWEST, FEWEST_DIGITS] = [4, 16];

function hasDigits(units: Uint16Array, from: number, to: number): boolean {
  let digits = 0;
  for (let at = from; at < to && digits < FEWEST_DIGITS; at += 1)
    if ((HEXADECIMAL_VALUES[units[at] as number] as number) < 64) digits += 1;
  return digits === FEWEST_DIGITS;
}

/** Finds hexadecimal digits in groups of one to four bytes: 61 6c 69 63, 0x61, 0x6c or 616c 6963. */
export function hexadecimalGroupsIn(text: string): DigitRun[] {
  const found: DigitRun[] = [];
  const units = unitsOf(text);
  for (const run of longRuns(text, KINDS, OF_GROUPS, SHORTEST_GROUPS)) {
    if (!hasDigits(units, run.start, run.end)) continue;
    let groups: string[] = [];
    let [start, end] = [run.start, run.start];
    const close = () => {
      if (groups.length >= FEWEST) {
        const digits = Array.from(groups.join(""), (digit) => digit.charCodeAt(0));
        found.push({ start, end, bytes: decoded(HEXADECIMAL_VALUES, 4, digits) });
      }
      groups = [];
    };
    for (let at = run.start; at < run.end;) {
      const isDigit = (HEXADECIMAL_VALUES[units[at] as number] as number) < 64;
      GROUP.lastIndex = at;
      const group = isDigit ? GROUP.exec(text)?.[1] : undefined;
      if (group === undefined) {
        close();
        at += 1;
        continue;
      }
      if (groups.length === 0) start = at;
      groups.push(group);
      end = GROUP.lastIndex;
      BETWEEN.lastIndex = end;
      const isFollowed = BETWEEN.test(text);
      at = isFollowed ? BETWEEN.lastIndex : end;
      if (!isFollowed) close();
    }
    close();
  }
  return found;
}
