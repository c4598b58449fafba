import { RE2JS, RE2Set } from "re2js";
import { patternGate } from "./pattern-gate";
import { compilePattern } from "./pattern";
import type { Detection } from "./detector";

/** Maximum number of matches in one request; more labels would inflate the text. */
export const MAX_MATCHES = 50_000;
/** Length of a separately searched segment, in UTF-16 code units. */
const STRETCH = 1024;

/**
 * Finds each pattern's matches in a text. `stop`, which throws when the time is up, is called before every search,
 * because finding all matches of one pattern can take quadratic time.
 */
export interface PatternFinder {
  (text: string, stop: () => void): ReadonlyMap<string, Detection[]>;
  /** Number of instructions of all compiled patterns; the worst-case time of a search is proportional to it. */
  size: number;
}

/** A segment of the text, searched for matches that start at or after `start` and before `end`. */
interface Stretch {
  start: number;
  end: number;
}

const NONE: ReadonlyMap<string, Detection[]> = new Map();

/** Compiles custom patterns to one finder synchronously. */
export function compilePatterns(patterns: readonly string[]): PatternFinder {
  const steps = compiling(patterns);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Compiles custom patterns to one finder, in steps of about a millisecond each. Locating a match is far more expensive
 * than detecting it, so one automaton of all patterns first finds which patterns match, then in which segments, and
 * only these segments are searched. Empty matches are ignored.
 */
export function* compiling(patterns: readonly string[]): Generator<void, PatternFinder> {
  if (patterns.length === 0) return Object.assign(() => new Map<string, Detection[]>(), { size: 0 });
  const set = new RE2Set();
  for (const pattern of patterns) {
    set.add(RE2JS.translateRegExp(pattern));
    yield;
  }
  set.compile();
  yield;
  const compiled: { index: number; pattern: string; regex: RE2JS; reach: number }[] = [];
  for (const [index, pattern] of patterns.entries()) {
    const regex = compilePattern(pattern);
    compiled.push({ index, pattern, regex, reach: reachOf(pattern, regex) });
    yield;
  }
  const gates = patterns.flatMap((pattern) => patternGate(pattern) ?? []);
  yield;
  const find = (text: string, stop: () => void) => {
    stop();
    if (gates.length === patterns.length && !gates.some((isPossible) => isPossible(text))) return NONE;
    const matching = set.match(text).flatMap((index) => compiled[index] ?? []);
    const bounded = text.length > STRETCH ? matching.filter(({ reach }) => Number.isFinite(reach)) : [];
    const reach = Math.max(0, ...bounded.map((one) => one.reach));
    const stretches =
      bounded.length > 0
        ? stretchesOf(text).map((stretch) => ({ stretch, matching: new Set(set.match(around(text, stretch, reach))) }))
        : [];
    const placesOf = (one: (typeof compiled)[number]) =>
      bounded.includes(one)
        ? stretches.flatMap((each) => (each.matching.has(one.index) ? each.stretch : []))
        : [{ start: 0, end: text.length }];
    return new Map(matching.map((one) => [one.pattern, findIn(one.regex, text, placesOf(one), one.reach, stop)]));
  };
  return Object.assign(find, { size: compiled.reduce((sum, { regex }) => sum + regex.programSize(), 0) });
}

/**
 * Returns an upper bound for the length of a match and the character after it, in UTF-16 code units; Infinity for
 * unbounded repetition. An instruction matches at most one character, which has up to two code units.
 */
export const reachOf = (pattern: string, regex: RE2JS): number =>
  /[*+]|,\}/.test(pattern.replace(/\\./gs, "")) ? Infinity : 2 * regex.programSize() + 2;

function stretchesOf(text: string): Stretch[] {
  const stretches: Stretch[] = [];
  for (let start = 0; start < text.length;) {
    const end = start + STRETCH;
    const isInsidePair = /[\udc00-\udfff]/.test(text[end] ?? "");
    stretches.push({ start, end: isInsidePair ? end + 1 : end });
    start = isInsidePair ? end + 1 : end;
  }
  return stretches;
}

/** Returns a segment with the preceding character and enough following text for any match that starts in it. */
const around = (text: string, { start, end }: Stretch, reach: number) =>
  text.slice(Math.max(0, start - 1), end + reach);

function findIn(
  regex: RE2JS,
  text: string,
  stretches: readonly Stretch[],
  reach: number,
  stop: () => void,
): Detection[] {
  const detections: Detection[] = [];
  let past = 0;
  for (const stretch of stretches) {
    const offset = Math.max(0, stretch.start - 1);
    const from = Math.max(stretch.start, past);
    const matcher = regex.matcher(around(text, stretch, reach));
    let isFound = from < stretch.end && matcher.find(from - offset);
    while (isFound && matcher.start() + offset < stretch.end && detections.length <= MAX_MATCHES) {
      past = matcher.end() + offset;
      if (matcher.end() > matcher.start()) detections.push({ start: matcher.start() + offset, end: past });
      stop();
      isFound = matcher.find();
    }
  }
  return detections;
}
