import { readFileSync } from "node:fs";
import { BUILTIN_DETECTORS } from "../engine/filters/builtin-detectors";
import type { Detection } from "../engine/filters/detector";
import { compilePatterns } from "../engine/filters/pattern-set";
import { searchIn } from "../engine/filters/search";
import type { BuiltinFilter } from "../engine/filters/contract";

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

const ALPHABETS: Readonly<Record<string, string>> = {
  A: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  U: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  P: "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!_+=",
  d: "123456789",
  h: "0123456789abcdef",
  w: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
};

/**
 * Fills a template of secrets, so that no file contains anything that looks like one. `[[ghp_|A36]]` is the prefix with
 * 36 characters of an alphabet, `PEM|…` a key of five lines.
 */
function withSecrets(template: string, seed: number): Sentence {
  let state = seed * 7919 + 17;
  const characters = (alphabet = "", count = 0) =>
    Array.from({ length: count }, () => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return alphabet[(state >> 8) % alphabet.length] ?? "";
    }).join("");
  const spans: Span[] = [];
  let text = "";
  for (const part of template.split(/(\[\[[^\]]*\]\]|-----PEM\|[A-Z ]+-----)/)) {
    const slot = /^\[\[(.*)\|(\w)(\d+)\]\]$/.exec(part);
    const kind = /^-----PEM\|([A-Z ]+)-----$/.exec(part)?.[1];
    const start = text.length;
    if (slot) text += `${slot[1] ?? ""}${characters(ALPHABETS[slot[2] ?? ""], Number(slot[3]))}`;
    else if (kind) {
      const lines = Array.from({ length: 5 }, () => characters(ALPHABETS.A, 64));
      text += [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`].join("\n");
    } else text += part;
    const last = spans.at(-1);
    // Parts joined by a separator are one secret.
    if ((slot ?? kind) && last && /^[.:/-](?:atlasv1\.)?$/.test(text.slice(last.end, start))) last.end = text.length;
    else if (slot ?? kind) spans.push({ start, end: text.length });
  }
  return { text, spans };
}

/** Returns the labelled sentences of a builtin; injections are labelled as a whole. */
export function sentencesOf(slug: BuiltinFilter["slug"], half: Half): Sentence[] {
  if (slug === "regex-prompt-injection")
    return (linesOf(`prompt-injection.${half}`) as { text: string; injection: boolean }[]).map(
      ({ text, injection }) => ({ text, spans: injection ? [{ start: 0, end: text.length }] : [] }),
    );
  if (slug === "secrets")
    return (linesOf(`${slug}.${half}`) as { template: string }[]).map(({ template }, at) => withSecrets(template, at));
  return (linesOf(`${slug}.${half}`) as { text: string; spans: [number, number][] }[]).map(({ text, spans }) => ({
    text,
    spans: spans.map(([start, end]) => ({ start, end })),
  }));
}

const finders = { builtins: BUILTIN_DETECTORS, patterns: compilePatterns([]) };

/** Returns a function that finds a builtin's matches in a text, in all forms in which filters read it. */
export const detectionsOf =
  (slug: BuiltinFilter["slug"]) =>
  (text: string): readonly Detection[] =>
    searchIn(text, finders, () => undefined)({ kind: "builtin", slug });

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
