import { readFileSync } from "node:fs";
import type { BuiltinFilter } from "../records/guardrails/contract";

export type Half = "tuning" | "held-out";
interface Span {
  start: number;
  end: number;
}
interface Sentence {
  text: string;
  spans: readonly Span[];
}
export interface Accuracy {
  precision: number;
  recall: number;
  /** Sentences with missed or wrong matches. */
  errors: { text: string; missed: string[]; wrong: string[] }[];
}

const linesOf = (name: string): unknown[] =>
  readFileSync(new URL(`../engine/filters/corpora/${name}.jsonl`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));

/** Returns the labelled sentences of a builtin; injections are labelled as a whole. */
export function sentencesOf(slug: BuiltinFilter["slug"], half: Half): Sentence[] {
  if (slug === "regex-prompt-injection")
    return (linesOf(`prompt-injection.${half}`) as { text: string; injection: boolean }[]).map(
      ({ text, injection }) => ({ text, spans: injection ? [{ start: 0, end: text.length }] : [] }),
    );
  return (linesOf(`${slug}.${half}`) as { text: string; spans: [number, number][] }[]).map(({ text, spans }) => ({
    text,
    spans: spans.map(([start, end]) => ({ start, end })),
  }));
}

/** True when a detection and a label overlap by at least half of each. */
function isSame(a: Span, b: Span): boolean {
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return shared * 2 >= a.end - a.start && shared * 2 >= b.end - b.start;
}

const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);

/** Computes precision and recall per span, or per text for texts labelled as a whole. */
export async function accuracyOf(
  sentences: readonly Sentence[],
  detect: (text: string) => readonly Span[] | Promise<readonly Span[]>,
  isPerText: boolean,
): Promise<Accuracy> {
  let [found, right, labelled, hit] = [0, 0, 0, 0];
  const errors: Accuracy["errors"] = [];
  for (const { text, spans } of sentences) {
    const detected = await detect(text);
    const detections = isPerText && detected.length > 0 ? [{ start: 0, end: text.length }] : detected;
    const missed = spans.filter((span) => !detections.some((detection) => isSame(span, detection)));
    const wrong = detections.filter((detection) => !spans.some((span) => isSame(span, detection)));
    found += detections.length;
    right += detections.length - wrong.length;
    labelled += spans.length;
    hit += spans.length - missed.length;
    const cut = ({ start, end }: Span) => text.slice(start, end);
    if (missed.length + wrong.length > 0) errors.push({ text, missed: missed.map(cut), wrong: wrong.map(cut) });
  }
  return { precision: share(right, found), recall: share(hit, labelled), errors };
}
