import type { Detection } from "../detector";

/** Maximum number of other characters between two digits of one number. */
const MOST_BETWEEN = 4;
/** Maximum number of characters before and after a number that patterns examine. */
const [BEFORE, AFTER] = [12, 20];
/** Distance above which numbers are searched separately: the text around one contains no digit of another. */
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

/** Cached parts of the last texts, which several detectors read: a text, and pieces of it without markup. */
const known: Numbers[] = Array.from({ length: 32 }, () => ({ text: "", parts: [], most: 0 }));
/** Maximum length of a cached text, in UTF-16 code units. */
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

/** True when a number in the text may have at least `fewest` digits. */
export const hasDigits = (text: string, fewest: number): boolean => numbersOf(text).most >= fewest;

/**
 * Returns the detections in the matches of a global pattern of numbers with at least `fewest` digits. The pattern is
 * run only around such numbers: its matches must begin at most two characters before a digit, and its lookarounds must
 * be within `BEFORE` and `AFTER`.
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
