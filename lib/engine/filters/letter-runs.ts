import { codeUnits, type CodeUnits } from "./code-units";
import { SUMMANDS, wordHash } from "./word-hash";

/** Cases of the letters of a run, as bits. */
export const LOWER = 1;
const UPPER = 2;

/** Cases by code unit. */
const CASES = new Uint8Array(65536);
CASES.fill(LOWER, 97, 123);
CASES.fill(UPPER, 65, 91);

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
}

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
  const { starts, ends, hashes, cases } = runs;
  let count = 0;
  for (let at = 0; at < length;) {
    let unit = units[at] as number;
    let letterCase = CASES[unit] as number;
    if (letterCase !== 0) {
      const start = at;
      let [sum, letters] = [0, 0];
      let end: number;
      do {
        letters |= letterCase;
        sum = (sum + (SUMMANDS[unit] as number)) | 0;
        end = unit;
        at += 1;
        unit = units[at] as number;
        letterCase = CASES[unit] as number;
      } while (letterCase !== 0);
      starts[count] = start;
      ends[count] = at;
      hashes[count] = wordHash(sum, units[start] as number, end);
      cases[count] = letters;
      count += 1;
      continue;
    }
    at += 1;
  }
  starts[count] = length;
  runs.count = count;
}
