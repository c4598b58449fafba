import { keptUnits } from "../code-units";

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

/** The parts of the last text, for which several detectors ask. */
let last: { text: string; parts: readonly Part[] } = { text: "", parts: [] };

/** Returns the parts of a text with digits. */
function partsOf(text: string): readonly Part[] {
  if (last.text === text) return last.parts;
  // Parts of a text are too many to keep their units.
  const units = keptUnits(text);
  const parts: Part[] = [];
  let part: Part | undefined;
  let [count, past] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = units ? (units[at] as number) : text.charCodeAt(at);
    if (unit > 57 || unit < 48) continue;
    count = at - past > MOST_BETWEEN ? 1 : count + 1;
    if (!part || at - past > APART) {
      part = { start: Math.max(0, at - BEFORE), end: 0, most: 0 };
      parts.push(part);
    }
    past = at + 1;
    part.end = past + AFTER;
    if (count > part.most) part.most = count;
  }
  last = { text, parts };
  return parts;
}

/** True when a number of a text may have some digits. */
export const hasDigits = (text: string, fewest: number): boolean => partsOf(text).some(({ most }) => most >= fewest);

interface Match {
  /** The match and its groups. */
  match: RegExpExecArray;
  start: number;
}

/**
 * Returns the matches of a global pattern of numbers with some digits. The pattern is run only around such numbers: its
 * matches begin at most two characters before a digit, and it looks at nothing far from them.
 */
export function numbersIn(text: string, pattern: RegExp, fewest: number): Match[] {
  const matches: Match[] = [];
  for (const { start, end, most } of partsOf(text)) {
    if (most < fewest) continue;
    const part = text.slice(start, end);
    pattern.lastIndex = 0;
    for (let match = pattern.exec(part); match; match = pattern.exec(part))
      matches.push({ match, start: start + match.index });
  }
  return matches;
}
