import { codeUnits, type CodeUnits } from "./code-units";
import { SUMMANDS, wordHash } from "./word-hash";

/** Cases of the letters of a run, as bits. */
export const LOWER = 64;
const UPPER = 128;

/**
 * Kinds of characters between runs, as bits: digits, marks that join words, signs that stand for letters, ends of sentences
 * and colons, characters beyond ASCII, and those from which East Asian scripts begin.
 */
export const [DIGITS, JOINTS, FOREIGN, FAR] = [1, 2, 16, 32] as const;
const [SIGNS, ENDS] = [4, 8];

/** By code unit. */
const KINDS = new Uint8Array(65536).fill(FOREIGN, 128).fill(FOREIGN | FAR, 0x2e80);
KINDS.fill(LOWER, 97, 123);
KINDS.fill(UPPER, 65, 91);
KINDS.fill(DIGITS, 48, 58);
for (const [characters, kind] of [
  ["'-", JOINTS],
  ["@$", SIGNS],
  [".!?;:", ENDS],
] as const)
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;

/** The runs of ASCII letters of a text. They are valid as long as its code units. */
export interface LetterRuns {
  count: number;
  /** Starts of the runs, followed by the length of the text. */
  starts: Int32Array;
  ends: Int32Array;
  /** Hashes of the runs by `wordHash`. */
  hashes: Int32Array;
  /** Cases of their letters. */
  cases: Uint8Array;
  /** Kinds of the characters before each run, and after the last one. */
  gaps: Uint8Array;
}

const emptyRuns = (length: number) => {
  const size = (length >> 1) + 2;
  return {
    starts: new Int32Array(size),
    ends: new Int32Array(size),
    hashes: new Int32Array(size),
    cases: new Uint8Array(size),
    gaps: new Uint8Array(size),
  };
};

interface Known extends LetterRuns {
  text: string | null;
}

/** The runs of texts by their code units, whose arrays are used again. */
const known = new WeakMap<CodeUnits, Known>();
let last: { of: CodeUnits; text: string; runs: Known } | undefined;

/** Returns the runs of letters of a text, which several detectors read. */
export function letterRuns(text: string): LetterRuns {
  const of = codeUnits(text);
  if (last?.of === of && last.text === text) return last.runs;
  const runs = known.get(of) ?? { ...emptyRuns(0), text: null, count: 0 };
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
  const { starts, ends, hashes, cases, gaps } = runs;
  let count = 0;
  for (let at = 0; ;) {
    let unit = units[at] as number;
    let kind = KINDS[unit] as number;
    let gap = 0;
    while (kind < LOWER && at < length) {
      gap |= kind;
      at += 1;
      unit = units[at] as number;
      kind = KINDS[unit] as number;
    }
    starts[count] = at;
    gaps[count] = gap;
    if (at >= length) break;
    const first = unit;
    let end: number;
    let sum = 0;
    let letters = 0;
    do {
      letters |= kind;
      sum = (sum + (SUMMANDS[unit] as number)) | 0;
      end = unit;
      at += 1;
      unit = units[at] as number;
      kind = KINDS[unit] as number;
    } while (kind >= LOWER);
    ends[count] = at;
    hashes[count] = wordHash(sum, first, end);
    cases[count] = letters;
    count += 1;
  }
  runs.count = count;
}
