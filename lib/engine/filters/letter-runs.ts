import { codeUnits, type CodeUnits } from "./code-units";
import { SUMMANDS, wordHash } from "./word-hash";

/** Cases of the letters of a run, as bits. */
export const [LOWER, UPPER] = [1, 2];
const LETTER = LOWER | UPPER;
const DIGIT = 4;
/** Kinds of characters that a text has beside letters, as bits. */
export const [FOREIGN, AT_SIGN, ANGLE, SQUARE, PERCENT, BACKSLASH, AMPERSAND, HASH, EXCLAMATION, COLON, DOT] = [
  8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192,
];

/** Kinds by code unit: the case of a letter, or the bit of another character. */
const KINDS = new Uint16Array(65536).fill(FOREIGN, 128);
KINDS.fill(LOWER, 97, 123);
KINDS.fill(UPPER, 65, 91);
KINDS.fill(DIGIT, 48, 58);
for (const [character, kind] of [
  ["@", AT_SIGN],
  ["<", ANGLE],
  ["[", SQUARE],
  ["%", PERCENT],
  ["\\", BACKSLASH],
  ["&", AMPERSAND],
  ["#", HASH],
  ["!", EXCLAMATION],
  [":", COLON],
  [".", DOT],
] as const)
  KINDS[character.charCodeAt(0)] = kind;

/** The runs of ASCII letters of a text, and what else it has. They are valid as long as its code units. */
export interface LetterRuns {
  count: number;
  /** Starts of the runs, followed by the length of the text. */
  starts: Int32Array;
  ends: Int32Array;
  /** Hashes of the runs by `wordHash`. */
  hashes: Int32Array;
  /** Cases of their letters. */
  cases: Uint8Array;
  /** Kinds of other characters in the text. */
  kinds: number;
  /** The largest number of digits that may belong to one number. */
  mostDigits: number;
}

/** Most characters other than digits between two digits of one number. */
export const MOST_BETWEEN = 4;

const emptyRuns = (length: number) => {
  const size = (length >> 1) + 2;
  return {
    starts: new Int32Array(size),
    ends: new Int32Array(size),
    hashes: new Int32Array(size),
    cases: new Uint8Array(size),
  };
};

interface Known extends LetterRuns {
  text: string | null;
}

/** The runs of texts by their code units, whose arrays are used again. */
const known = new WeakMap<CodeUnits, Known>();
let last: { of: CodeUnits; text: string; runs: Known } | undefined;

/** Returns the runs of the text that was asked for last, if it is this one. */
export const lastRuns = (text: string): LetterRuns | undefined => (last?.text === text ? last.runs : undefined);

/** Returns the runs of letters of a text, which several detectors read. */
export function letterRuns(text: string): LetterRuns {
  const of = codeUnits(text);
  if (last?.of === of && last.text === text) return last.runs;
  const runs = known.get(of) ?? { ...emptyRuns(0), text: null, count: 0, kinds: 0, mostDigits: 0 };
  if (runs.text !== text) {
    if (runs.starts.length < (text.length >> 1) + 2) Object.assign(runs, emptyRuns(text.length));
    read(of.units, text.length, runs);
    runs.text = text;
    known.set(of, runs);
  }
  last = of.isKept ? { of, text, runs } : undefined;
  return runs;
}

function read(units: Uint16Array, length: number, runs: LetterRuns): void {
  const { starts, ends, hashes, cases } = runs;
  let count = 0;
  let kinds = 0;
  let [most, digits, past] = [0, 0, 0];
  for (let at = 0; at < length;) {
    let unit = units[at] as number;
    let kind = KINDS[unit] as number;
    if ((kind & LETTER) !== 0) {
      const start = at;
      let [sum, letters] = [0, 0];
      let end: number;
      do {
        letters |= kind;
        sum = (sum + (SUMMANDS[unit] as number)) | 0;
        end = unit;
        at += 1;
        unit = units[at] as number;
        kind = KINDS[unit] as number;
      } while ((kind & LETTER) !== 0);
      starts[count] = start;
      ends[count] = at;
      hashes[count] = wordHash(sum, units[start] as number, end);
      cases[count] = letters;
      count += 1;
      continue;
    }
    kinds |= kind;
    at += 1;
    if (kind === DIGIT) {
      digits = at - past > MOST_BETWEEN + 1 ? 1 : digits + 1;
      past = at;
      if (digits > most) most = digits;
    }
  }
  starts[count] = length;
  runs.count = count;
  runs.kinds = kinds;
  runs.mostDigits = most;
}
