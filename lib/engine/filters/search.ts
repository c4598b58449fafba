import type { BuiltinFilter } from "../../records/guardrails/contract";
import type { BUILTIN_DETECTORS } from "./builtin-detectors";
import type { Detection } from "./detector";
import type { FilterRule } from "./filter-rule";
import type { PatternFinder } from "./pattern-set";
import { readingsOf, type Reader, type Reading } from "./view/readings";

/** The detectors of builtins and the patterns of custom rules. */
export interface Finders {
  builtins: typeof BUILTIN_DETECTORS;
  patterns: PatternFinder;
}

/** Builtins that read sentences; the others find values. */
const PROSE = new Set<BuiltinFilter["slug"]>(["regex-prompt-injection", "person-name", "address"]);

/** Finds the matches of one detector. */
export type Search = (detector: FilterRule["detector"]) => readonly Detection[];

/** Prepares the search of a text in all its readings; a detector shared by several rules runs once. */
export function searchIn(text: string, finders: Finders, stop: () => void): Search {
  const readings = readingsOf(text);
  const byBuiltin = new Map<string, readonly Detection[]>();
  let byPattern: ReadonlyMap<string, readonly Detection[]> | null = null;
  return (detector) => {
    if (detector.kind === "pattern")
      return (byPattern ??= ofPatterns(readings, finders, stop)).get(detector.pattern) ?? [];
    const { slug } = detector;
    const known = byBuiltin.get(slug);
    if (known) return known;
    const found = readings.filter(isFor(PROSE.has(slug) ? "prose" : "value")).flatMap((reading) => {
      stop();
      return placed(reading, finders.builtins[slug](reading.text));
    });
    const detections = readings.length > 1 ? united(found) : found;
    byBuiltin.set(slug, detections);
    return detections;
  };
}

const isFor =
  (reader: Reader) =>
  ({ readers }: Reading) =>
    readers.includes(reader);

const placed = ({ place }: Reading, detections: readonly Detection[]): Detection[] =>
  detections.flatMap((detection) => {
    const span = place(detection.start, detection.end);
    return span ? [{ ...detection, ...span }] : [];
  });

function ofPatterns(readings: readonly Reading[], { patterns }: Finders, stop: () => void): Map<string, Detection[]> {
  const found = new Map<string, Detection[]>();
  for (const reading of readings.filter(isFor("pattern")))
    for (const [pattern, detections] of patterns(reading.text, stop)) {
      const known = found.get(pattern);
      const more = placed(reading, detections);
      if (known) found.set(pattern, [...known, ...more]);
      else found.set(pattern, more);
    }
  if (readings.length > 1) for (const [pattern, detections] of found) found.set(pattern, united(detections));
  return found;
}

/** Joins overlapping detections of several readings. */
function united(detections: readonly Detection[]): Detection[] {
  const joined: Detection[] = [];
  for (const detection of detections.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last && detection.start < last.end) last.end = Math.max(last.end, detection.end);
    else joined.push({ ...detection });
  }
  return joined;
}
