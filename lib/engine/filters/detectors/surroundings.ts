import type { Detection } from "../detector";

/** True when the `reach` characters before an offset match; the pattern is anchored at its end. */
export const isPreceded = (text: string, offset: number, pattern: RegExp, reach: number): boolean =>
  pattern.test(text.slice(Math.max(0, offset - reach), offset));

/** True when the `reach` characters from an offset match; the pattern is anchored at its start. */
export const isFollowed = (text: string, offset: number, pattern: RegExp, reach: number): boolean =>
  pattern.test(text.slice(offset, offset + reach));

/** Returns the matches of a sticky pattern that start at ascending offsets, without overlaps. */
export function* matchesAt(pattern: RegExp, text: string, starts: readonly number[]): Generator<RegExpExecArray> {
  let past = 0;
  for (const start of starts) {
    if (start < past) continue;
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (!match) continue;
    past = start + match[0].length;
    yield match;
  }
}

/** Sorts detections and removes overlaps: keeps the earlier detection, or the longer one of two with the same start. */
export function withoutOverlaps(detections: readonly Detection[]): Detection[] {
  const kept: Detection[] = [];
  for (const detection of detections.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (detection.start >= (kept.at(-1)?.end ?? 0)) kept.push(detection);
  return kept;
}

/** Returns the detections that don't overlap any of the others; both lists are ascending. */
export function excluding(detections: readonly Detection[], others: readonly Detection[]): Detection[] {
  let next = 0;
  return detections.filter(({ start, end }) => {
    while ((others[next]?.end ?? Infinity) <= start) next += 1;
    return (others[next]?.start ?? Infinity) >= end;
  });
}

/** Merges overlapping detections; the family is that of the first. */
export function united(detections: readonly Detection[]): Detection[] {
  const joined: Detection[] = [];
  for (const detection of detections.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last && detection.start < last.end) last.end = Math.max(last.end, detection.end);
    else joined.push({ ...detection });
  }
  return joined;
}
