import type { Detection } from "../detector";

/** Whether the `reach` characters before an offset match; the pattern is anchored at its end. */
export const isPreceded = (text: string, offset: number, pattern: RegExp, reach: number): boolean =>
  pattern.test(text.slice(Math.max(0, offset - reach), offset));

/** Whether the `reach` characters from an offset on match; the pattern is anchored at its start. */
export const isFollowed = (text: string, offset: number, pattern: RegExp, reach: number): boolean =>
  pattern.test(text.slice(offset, offset + reach));

/** Detections in ascending order without overlaps: the one that begins first stays, the longer one of two that begin together. */
export function ascending(detections: readonly Detection[]): Detection[] {
  const kept: Detection[] = [];
  for (const detection of detections.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (detection.start >= (kept.at(-1)?.end ?? 0)) kept.push(detection);
  return kept;
}

/** Those of the detections that share no character with one of the others; both ascend. */
export function without(detections: readonly Detection[], others: readonly Detection[]): Detection[] {
  let next = 0;
  return detections.filter(({ start, end }) => {
    while ((others[next]?.end ?? Infinity) <= start) next += 1;
    return (others[next]?.start ?? Infinity) >= end;
  });
}
