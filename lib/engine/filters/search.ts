import type { BuiltinFilter } from "./contract";
import type { BUILTIN_DETECTORS } from "./builtin-detectors";
import type { Detection } from "./detector";
import { excluding, united } from "./detectors/surroundings";
import { detectorName } from "../policy/detector-name";
import type { FilterRule } from "./filter-rule";
import type { PatternFinder } from "./pattern-set";
import { readingsOf, type Reader, type Reading } from "./readings/readings";

/** Detectors of built-in filters, and the finder of custom patterns. */
export interface Finders {
  builtins: typeof BUILTIN_DETECTORS;
  patterns: PatternFinder;
  /** Cache keys of short texts in which the same rules found nothing before. */
  clean?: { has: (text: string) => boolean; add: (text: string) => void };
}

/** Built-in filters that need sentences; the others detect values. */
export const PROSE = new Set<BuiltinFilter["slug"]>(["regex-prompt-injection", "person-name", "address"]);

const NONE: readonly Detection[] = [];

/** Finds the matches of one detector. */
export type Search = (detector: FilterRule["detector"]) => readonly Detection[];

/** Returns a search of all readings of a text; a detector shared by several rules runs once. */
export function searchIn(text: string, finders: Finders, stop: () => void): Search {
  const readings = readingsOf(text);
  const known = new Map<string, readonly Detection[]>();
  const byPattern = new Map<string, ReturnType<PatternFinder>>();
  const patternsIn = (readable: string) => {
    const found = byPattern.get(readable) ?? finders.patterns(readable, stop);
    byPattern.set(readable, found);
    return found;
  };
  const find: Search = (detector) => {
    if (detector.kind === "pattern")
      return matchesIn(text, readings, "pattern", (readable) => patternsIn(readable).get(detector.pattern) ?? []);
    const { slug } = detector;
    const detect = (readable: string) => {
      stop();
      return finders.builtins[slug](readable, detector.regions);
    };
    return matchesIn(text, readings, PROSE.has(slug) ? "prose" : "value", detect);
  };
  let hasPatterns: boolean | undefined;
  return (detector) => {
    if (detector.kind === "pattern") {
      hasPatterns ??= readings.some(
        ({ readers, text: readable }) => readers.includes("pattern") && patternsIn(readable).size > 0,
      );
      if (!hasPatterns) return NONE;
    }
    const name = detectorName(detector);
    const detections = known.get(name) ?? find(detector);
    known.set(name, detections);
    return detections;
  };
}

/** Runs a detector on the readings for its kind of reader, and maps the matches to the text. */
function matchesIn(
  text: string,
  readings: readonly Reading[],
  reader: Reader,
  detect: (readable: string) => readonly Detection[],
): Detection[] {
  const found: [written: Detection[], apart: Detection[]] = [[], []];
  for (const reading of readings) {
    const { readers, isJoined, place } = reading;
    if (!readers.includes(reader)) continue;
    for (const detection of detect(reading.text)) {
      const span = place(detection.start, detection.end);
      if (span)
        found[isJoined ? 1 : 0].push({ ...detection, ...span, ...encodedFamily(text, reading, detection, span) });
    }
  }
  if (readings.length === 1 || (found[0].length === 0 && found[1].length === 0)) return found[0];
  const written = united(outsideEscapes(text, found[0]));
  return found[1].length === 0 ? written : united([...written, ...excluding(united(found[1]), written)]);
}

/** Families of prompt injections by the escapes that they contain. */
const ESCAPES = [
  ["url_encoded_injection", /%[\dA-F]{2}/i],
  ["hex_encoded_injection", /\\x[\dA-F]{2}/i],
  ["escaped_injection", /\\u[\dA-F]{4}|&#/i],
] as const;

/** Returns the family of an encoded prompt injection, which replaces the detected one; empty for others. */
function encodedFamily(
  text: string,
  reading: Reading,
  { family }: Detection,
  { start, end }: { start: number; end: number },
): { family?: string } {
  if (family === undefined || reading.text === text) return {};
  if (reading.encoding !== null) return { family: `${reading.encoding}_encoded_injection` };
  const source = text.slice(start, end);
  const escape = ESCAPES.find(([, pattern]) => pattern.test(source));
  return escape ? { family: escape[0] } : {};
}

const ESCAPE_BEFORE =
  /(?:\\(?:[bfnrtv]|x[\dA-F]{2}|u(?:[\dA-F]{4}|[\dA-F]{8})|[01][0-7]{2})|%(?:[\dA-F]{2}|u[\dA-F]{4}))$/i;
const LONGEST_ESCAPE = 10;

/**
 * Removes the letters of a preceding escape from a match, as in `\nkim@example.com`, if another reading finds the match
 * without them. Otherwise, redaction would leave half of the escape.
 */
function outsideEscapes(text: string, detections: readonly Detection[]): readonly Detection[] {
  if (!/[\\%]/.test(text)) return detections;
  const starts = new Set(detections.map(({ start }) => start));
  return detections.map((detection) => {
    for (let at = detection.start + 1; at < detection.start + LONGEST_ESCAPE; at += 1) {
      if (!starts.has(at)) continue;
      const escape = ESCAPE_BEFORE.exec(text.slice(Math.max(0, at - LONGEST_ESCAPE), at));
      if (escape && at - escape[0].length < detection.start) return { ...detection, start: at };
    }
    return detection;
  });
}
