import type { Detection } from "./detector";
import type { FilterAction } from "./filter-rule";

/** A match with the replacement label and the action of its rule. */
export interface LabelledSpan extends Pick<Detection, "start" | "end"> {
  label: string;
  action: FilterAction;
}

const STRENGTH: Readonly<Record<FilterAction, number>> = { flag: 1, redact: 2, block: 3 };

/**
 * Merges overlapping spans. The label comes from the longest; ties are resolved by position, then the stronger action,
 * then the given order.
 */
export function mergeSpans(spans: readonly LabelledSpan[]): LabelledSpan[] {
  const length = ({ start, end }: LabelledSpan) => end - start;
  const merged: LabelledSpan[] = [];
  let longest = 0;
  for (const span of spans.toSorted(
    (a, b) => a.start - b.start || length(b) - length(a) || STRENGTH[b.action] - STRENGTH[a.action],
  )) {
    const last = merged.at(-1);
    if (!last || span.start >= last.end) {
      merged.push({ ...span });
      longest = length(span);
      continue;
    }
    last.end = Math.max(last.end, span.end);
    if (length(span) > longest) {
      longest = length(span);
      last.label = span.label;
      last.action = span.action;
    }
  }
  return merged;
}

/** Replaces every span with its label, literally. */
export function redact(text: string, spans: readonly LabelledSpan[]): string {
  const pieces: string[] = [];
  let end = 0;
  for (const span of mergeSpans(spans)) {
    pieces.push(text.slice(end, span.start), span.label);
    end = span.end;
  }
  return [...pieces, text.slice(end)].join("");
}
