import type { Tone } from "./badge";
import { cn } from "./class-names";

/** A range of the text, in UTF-16 code units. */
export interface TextSpan {
  start: number;
  end: number;
  label?: string | undefined;
  tone?: Tone | undefined;
}

const TONES = {
  neutral: "bg-subtle-strong text-foreground",
  accent: "bg-accent-subtle text-accent",
  success: "bg-success-subtle text-success",
  warning: "bg-warning-subtle text-warning",
  danger: "bg-danger-subtle text-danger",
} as const satisfies Record<Tone, string>;

/** Sorted spans without overlapping or out-of-range ones. */
function inOrder(spans: readonly TextSpan[], length: number): TextSpan[] {
  const kept: TextSpan[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (span.start >= (kept.at(-1)?.end ?? 0) && span.end > span.start && span.end <= length) kept.push(span);
  }
  return kept;
}

/** Text with labelled highlights. */
export function HighlightedText({ text, spans }: { text: string; spans: readonly TextSpan[] }) {
  const marks = inOrder(spans, text.length);
  return (
    <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
      {marks.map(({ start, end, label, tone = "warning" }, index) => (
        <span key={start}>
          {text.slice(marks[index - 1]?.end ?? 0, start)}
          <mark className={cn("rounded-sm px-0.5", TONES[tone])}>
            {text.slice(start, end)}
            {label && (
              <span className="ml-1 rounded-sm border border-current/30 px-1 text-[11px] font-medium whitespace-nowrap">
                {label}
              </span>
            )}
          </mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </p>
  );
}
