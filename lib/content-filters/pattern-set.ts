import { RE2JS, RE2Set } from "re2js";
import { compilePattern } from "../guardrails/pattern";
import type { Detection } from "./detector";

/** Findings of one request: past them a label at every place would swell the text. */
export const MAX_FOUND = 50_000;
/** UTF-16 code units of a stretch that is searched on its own. */
const STRETCH = 1024;

/** What each pattern finds in a text; `stop` is asked before every search, because all matches of one pattern can cost the square of the text. */
export type PatternFinder = (text: string, stop: () => void) => ReadonlyMap<string, Detection[]>;

/** Matches that begin from `start` until before `end`. */
interface Stretch {
  start: number;
  end: number;
}

/**
 * Patterns of admins as one finder. Naming the place of a match costs many times what knowing of it does, so one automaton of all patterns
 * says which match, then in which stretches of the text, and only there is each searched for. Matches of no length are ignored.
 */
export function compilePatterns(patterns: readonly string[]): PatternFinder {
  if (patterns.length === 0) return () => new Map();
  const set = new RE2Set();
  for (const pattern of patterns) set.add(RE2JS.translateRegExp(pattern));
  set.compile();
  const compiled = patterns.map((pattern, index) => {
    const regex = compilePattern(pattern);
    return { index, pattern, regex, reach: reachOf(pattern, regex) };
  });
  return (text, stop) => {
    stop();
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
}

/** The longest match, with a character behind it: without unbounded repetition it takes fewer characters than the program has instructions. */
const reachOf = (pattern: string, regex: RE2JS) => (/[*+]|,\}/.test(pattern) ? Infinity : 2 * regex.programSize() + 2);

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

/** A stretch, the character before it, and as much after it as a match that begins in it can take. */
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
    while (isFound && matcher.start() + offset < stretch.end && detections.length <= MAX_FOUND) {
      past = matcher.end() + offset;
      if (matcher.end() > matcher.start()) detections.push({ start: matcher.start() + offset, end: past });
      stop();
      isFound = matcher.find();
    }
  }
  return detections;
}
