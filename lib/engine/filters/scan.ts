import type { Detection } from "./detector";
import type { FilterRule } from "./filter-rule";
import { fragmentsOf, type Fragment } from "./fragments";
import type { Leaf } from "./leaves";
import { MAX_MATCHES } from "./pattern-set";
import { redact, type LabelledSpan } from "./redact";
import { searchIn, type Finders } from "./search";

/** Maximum number of spans reported per rule; all matches are redacted. */
export const MAX_SPANS = 100;

export type ScanRule = Pick<FilterRule, "detector" | "action" | "label" | "userOnly">;

export type ScanLeaf = Omit<Leaf, "path">;

/** Matches of a rule by its index: the index of the leaf and offsets in its text. */
interface Finding {
  rule: number;
  /** Index of the phrase that contains the match; null when the match counts. */
  phrase: number | null;
  spans: { leaf: number; start: number; end: number }[];
  families: string[];
}

export interface ScanResult {
  findings: Finding[];
  /** Total number of matches, reported or not. */
  found: number;
  /** Leaves with matches of `block` and `redact` replaced. */
  redacted: { leaf: number; text: string }[];
}

/** The reason a scan was stopped. */
export class ScanStop extends Error {
  constructor(readonly reason: "timeout" | "matches") {
    super(reason);
  }
}

export const patternsOf = (rules: readonly ScanRule[]): string[] => [
  ...new Set(rules.flatMap(({ detector }) => (detector.kind === "pattern" ? [detector.pattern] : []))),
];

/**
 * Applies every rule to its leaves; matches inside a phrase don't count. `stop` throws when the time is up. Reports at
 * most `mostSpans` matches per rule.
 */
export function scan(
  rules: readonly ScanRule[],
  leaves: readonly ScanLeaf[],
  finders: Finders,
  stop: () => void,
  phrases: readonly string[] = [],
  mostSpans = MAX_SPANS,
): ScanResult {
  const findings = new Map<string, Finding>();
  const redacted: ScanResult["redacted"] = [];
  let found = 0;
  for (const [index, leaf] of leaves.entries()) {
    const rewritten: LabelledSpan[] = [];
    for (const fragment of fragmentsOf(leaf.form, leaf.text)) {
      const hits = search(fragment.text, leaf.isUser, rules, finders, stop);
      found += hits.reduce((count, { detections }) => count + detections.length, 0);
      if (found > MAX_MATCHES) throw new ScanStop("matches");
      const judged = phrases.length > 0 ? hits.flatMap((hit) => byPhrase(hit, fragment.text, phrases, stop)) : hits;
      for (const hit of judged) {
        const key = `${hit.index} ${hit.phrase}`;
        findings.set(key, reported(findings.get(key), hit, fragment, index, mostSpans));
      }
      const labelled = judged
        .filter(({ rule, phrase }) => rule.action !== "flag" && phrase === null)
        .flatMap(({ rule, detections }) => detections.map((span) => ({ ...span, ...rule })));
      if (labelled.length > 0)
        rewritten.push({ ...fragment, label: fragment.encode(redact(fragment.text, labelled)), action: "redact" });
    }
    if (rewritten.length > 0) redacted.push({ leaf: index, text: redact(leaf.text, rewritten) });
  }
  return {
    findings: [...findings.values()].toSorted((a, b) => a.rule - b.rule || (a.phrase ?? -1) - (b.phrase ?? -1)),
    found,
    redacted,
  };
}

interface Hit {
  index: number;
  rule: ScanRule;
  phrase: number | null;
  detections: readonly Detection[];
}

/** True when an occurrence of the phrase contains the whole match. */
const isInside = (text: string, { start, end }: Detection, phrase: string): boolean =>
  end - start <= phrase.length && text.slice(Math.max(0, end - phrase.length), start + phrase.length).includes(phrase);

/** Splits a hit's detections into those that count and those inside each phrase. */
function byPhrase(hit: Hit, text: string, phrases: readonly string[], stop: () => void): Hit[] {
  const groups = new Map<number | null, Detection[]>();
  for (const detection of hit.detections) {
    stop();
    const covering = phrases.findIndex((phrase) => isInside(text, detection, phrase));
    const phrase = covering < 0 ? null : covering;
    const group = groups.get(phrase);
    if (group) group.push(detection);
    else groups.set(phrase, [detection]);
  }
  return [...groups].map(([phrase, detections]) => ({ ...hit, phrase, detections }));
}

/** Finds each rule's matches in a text. */
function search(text: string, isUser: boolean, rules: readonly ScanRule[], finders: Finders, stop: () => void): Hit[] {
  const find = searchIn(text, finders, stop);
  return rules.flatMap((rule, index) => {
    const detections = isUser || !rule.userOnly ? find(rule.detector) : [];
    return detections.length > 0 ? [{ index, rule, phrase: null, detections }] : [];
  });
}

function reported(
  before: Finding | undefined,
  { index, phrase, detections }: Hit,
  fragment: Fragment,
  leaf: number,
  mostSpans: number,
): Finding {
  const { spans, families } = before ?? { spans: [], families: [] };
  const placed = detections
    .slice(0, mostSpans - spans.length)
    .map(({ start, end }) => ({ leaf, ...fragment.place(start, end) }));
  const named = detections.flatMap(({ family }) => family ?? []);
  return { rule: index, phrase, spans: [...spans, ...placed], families: [...new Set([...families, ...named])] };
}
