import type { Detection } from "../detector";

/** Most characters other than digits between two digits of one number. */
const MOST_BETWEEN = 4;
/** Characters around a number that patterns look at, before and after it. */
const [BEFORE, AFTER] = [12, 20];
/** Distance from which numbers are searched apart, so that the characters around one contain no digit of another. */
const APART = BEFORE + AFTER + 8;

/** A part of a text with digits, and the largest number of them that may belong to one number. */
interface Part {
  start: number;
  end: number;
  most: number;
}

interface Numbers {
  text: string;
  parts: readonly Part[];
  /** The largest number of digits that may belong to one number. */
  most: number;
}

/** The parts of the last texts, shared by several detectors: a text, and pieces of it without markup. */
const known: Numbers[] = Array.from({ length: 32 }, () => ({ text: "", parts: [], most: 0 }));
/** Length up to which a text is kept. */
const LONGEST_KEPT = 64 * 1024;
let next = 0;
let last = known[0] as Numbers;

function numbersOf(text: string): Numbers {
  if (last.text === text) return last;
  for (const one of known)
    if (one.text === text) {
      last = one;
      return one;
    }
  const parts = partsOf(text);
  last = { text, parts, most: parts.reduce((most, part) => Math.max(most, part.most), 0) };
  if (text.length <= LONGEST_KEPT) {
    known[next] = last;
    next = (next + 1) % known.length;
  }
  return last;
}

/** Returns the parts of a text with digits. */
function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  let part: Part | undefined;
  let count = 0;
  let past = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 48 || unit > 57) continue;
    count = at - past > MOST_BETWEEN ? 1 : count + 1;
    if (!part || at - past > APART) {
      part = { start: Math.max(0, at - BEFORE), end: 0, most: 0 };
      parts.push(part);
    }
    past = at + 1;
    part.end = past + AFTER;
    if (count > part.most) part.most = count;
  }
  return parts;
}

/** True when a number of a text may have some digits. */
export const hasDigits = (text: string, fewest: number): boolean => numbersOf(text).most >= fewest;

/**
 * Returns the detections in the matches of a global pattern of numbers with some digits. The pattern is run only around such
 * numbers: its matches begin at most two characters before a digit, and it looks at nothing far from them.
 */
export function numbersIn(
  text: string,
  pattern: RegExp,
  fewest: number,
  detectionIn: (match: RegExpExecArray, start: number) => Detection | null,
): Detection[] {
  const found: Detection[] = [];
  const all = numbersOf(text);
  if (all.most < fewest) return found;
  for (const { start, end, most } of all.parts) {
    if (most < fewest) continue;
    const part = text.slice(start, end);
    pattern.lastIndex = 0;
    for (let match = pattern.exec(part); match; match = pattern.exec(part)) {
      const detection = detectionIn(match, start + match.index);
      if (detection) found.push(detection);
    }
  }
  return found;
}
