import type { BuiltinFilter } from "./contract";
import type { Detection } from "./detector";
import type { FilterRule } from "./filter-rule";
import { fragmentsOf, type Fragment } from "./fragments";
import type { Leaf } from "./leaves";
import { MAX_MATCHES } from "./pattern-set";
import { redact, type LabelledSpan } from "./redact";
import { callSeamsOf, seamsOf } from "./seams";
import { united } from "./detectors/surroundings";
import { PROSE, searchIn, type Finders, type Search } from "./search";

/** Maximum number of spans reported per rule; all matches are redacted. */
export const MAX_SPANS = 100;

/** Maximum length of cached texts without a match. Requests repeat the names and descriptions of tools. */
const SHORT = 256;

export type ScanRule = Pick<FilterRule, "detector" | "action" | "label" | "scanScope">;

export interface ScanLeaf
  extends
    Pick<Leaf, "text" | "form" | "isUser">,
    Partial<Pick<Leaf, "isTrusted" | "isFixed" | "turn" | "callTurn" | "label">> {
  /** True for the beginning or end of an adjacent text that is scanned in another batch. */
  isContext?: true;
}

/** True when a rule's scan scope includes a text. */
export const isInScope = (
  { scanScope }: Pick<ScanRule, "scanScope">,
  leaf: Pick<ScanLeaf, "isUser" | "isTrusted"> | undefined,
): boolean => scanScope === "all_messages" || (scanScope === "user_only" ? leaf?.isUser === true : !leaf?.isTrusted);

/** Matches of the rule with index `rule`; offsets are UTF-16 code units of the leaf's text. */
interface Finding {
  rule: number;
  /** Index of the phrase that contains the matches; null when they count. */
  phrase: number | null;
  /** True when the matches are in leaves that can't be rewritten. */
  isFixed: boolean;
  spans: { leaf: number; start: number; end: number }[];
  families: string[];
}

export interface ScanResult {
  findings: Finding[];
  /** Total number of matches, reported or not. */
  found: number;
  /** Texts of leaves in which the matches of `block` and `redact` are replaced. */
  redacted: { leaf: number; text: string }[];
}

/** Thrown to stop a scan. */
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
  const fragmentsAt = fragmentsOfEach(leaves);
  const split = splitMatches(rules, leaves, fragmentsAt, finders, stop);
  let found = 0;
  for (const [index, leaf] of leaves.entries()) {
    if (leaf.isContext) continue;
    const known =
      leaf.text.length <= SHORT && !split.has(index)
        ? `${leaf.form} ${leaf.isUser} ${leaf.isTrusted} ${leaf.isFixed} ${leaf.label?.length} ${leaf.label} ${leaf.text}`
        : null;
    if (known !== null && finders.clean?.has(known)) continue;
    const before = found;
    const rewritten: LabelledSpan[] = [];
    const ofLeaf = split.get(index);
    for (const [place, fragment] of fragmentsAt(index).entries()) {
      const within = [
        ...search(fragment.text, leaf, rules, finders, stop),
        ...searchByName(fragment, leaf, rules, finders, stop),
      ];
      const hits = joined(
        within,
        ofLeaf?.filter((one) => one.fragment === place),
        rules,
      );
      found += hits.reduce((count, { detections }) => count + detections.length, 0);
      if (found > MAX_MATCHES) throw new ScanStop("matches");
      const judged = phrases.length > 0 ? hits.flatMap((hit) => byPhrase(hit, fragment.text, phrases, stop)) : hits;
      for (const hit of judged) {
        const key = `${hit.index} ${hit.phrase} ${leaf.isFixed === true}`;
        findings.set(
          key,
          reported(findings.get(key), { hit, fragment, leaf: index, isFixed: leaf.isFixed === true }, mostSpans),
        );
      }
      const labelled = judged
        .filter(({ rule, phrase }) => rule.action !== "flag" && phrase === null)
        .flatMap(({ rule, detections }) => detections.map((span) => ({ ...span, ...rule })));
      if (labelled.length > 0)
        rewritten.push({ ...fragment, label: fragment.encode(redact(fragment.text, labelled)), action: "redact" });
    }
    if (rewritten.length > 0) redacted.push({ leaf: index, text: redact(leaf.text, rewritten) });
    if (known !== null && found === before) finders.clean?.add(known);
  }
  return {
    findings: [...findings.values()].toSorted(
      (a, b) => a.rule - b.rule || (a.phrase ?? -1) - (b.phrase ?? -1) || Number(a.isFixed) - Number(b.isFixed),
    ),
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

/** Groups a hit's detections by the phrase that contains them; null for detections that count. */
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

/** Finds each rule's matches in a text. Identifiers of one word aren't searched for names and addresses. */
function search(text: string, leaf: ScanLeaf, rules: readonly ScanRule[], finders: Finders, stop: () => void): Hit[] {
  const find = searchIn(text, finders, stop);
  const isWord = leaf.isFixed === true && !/\s/.test(text);
  return rules.flatMap((rule, index) => {
    const { detector } = rule;
    const isRead = isInScope(rule, leaf) && !(isWord && detector.kind === "builtin" && PLACES.has(detector.slug));
    const detections = isRead ? find(detector) : [];
    return detections.length > 0 ? [{ index, rule, phrase: null, detections }] : [];
  });
}

/** Built-in filters that would mistake identifiers for names or addresses. */
const PLACES = new Set<BuiltinFilter["slug"]>(["person-name", "address"]);

/** Returns a function that returns a leaf's fragments; those of call arguments are cached. */
function fragmentsOfEach(leaves: readonly ScanLeaf[]): (leaf: number) => readonly Fragment[] {
  const known = new Map<number, readonly Fragment[]>();
  return (index) => {
    const { form, text, callTurn } = leaves[index] as ScanLeaf;
    const fragments = known.get(index) ?? fragmentsOf(form, text);
    if (callTurn !== undefined) known.set(index, fragments);
    return fragments;
  };
}

/** The part of a split match in one fragment. */
interface SplitMatch {
  rule: number;
  /** Index of the fragment within the leaf. */
  fragment: number;
  part: Detection;
}

/** Parts of split matches by index of the leaf. */
type SplitMatches = ReadonlyMap<number, readonly SplitMatch[]>;

/**
 * Finds matches that are split over the texts of a message, over adjacent messages, or over a text and the arguments of
 * a tool call, and values whose label is in the previous text.
 */
function splitMatches(
  rules: readonly ScanRule[],
  leaves: readonly ScanLeaf[],
  fragmentsAt: (leaf: number) => readonly Fragment[],
  finders: Finders,
  stop: () => void,
): SplitMatches {
  const found = new Map<number, SplitMatch[]>();
  const searches = new Map<string, Search>();
  const isWithin = (
    detector: ScanRule["detector"],
    { leaf, fragment, start, end }: { leaf: number; fragment: number; start: number; end: number },
  ) => {
    const place = `${leaf} ${fragment}`;
    const inFragment = searches.get(place) ?? searchIn(fragmentsAt(leaf)[fragment]?.text ?? "", finders, stop);
    searches.set(place, inFragment);
    return inFragment(detector).some((match) => match.start < end && match.end > start);
  };
  for (const seam of [...seamsOf(leaves), ...callSeamsOf(leaves, fragmentsAt)]) {
    const find = searchIn(seam.text, finders, stop);
    for (const [index, rule] of rules.entries()) {
      const { detector } = rule;
      // Sentences don't continue in another message.
      if (!seam.isOneTurn && detector.kind === "builtin" && PROSE.has(detector.slug)) continue;
      const isLabelled = detector.kind === "builtin" && LABELLED.has(detector.slug);
      for (const match of find(detector)) {
        const split = seam.partsOf(match);
        const labelled = isLabelled && split.length === 0 ? seam.labelled(match) : null;
        const parts = labelled ? [labelled] : split;
        if (!parts.every(({ leaf }) => isInScope(rule, leaves[leaf]))) continue;
        // A value that is complete in one text doesn't continue in the next.
        if (parts.some((part) => isWithin(detector, part))) continue;
        for (const { leaf, fragment, start, end } of parts)
          found.set(leaf, [...(found.get(leaf) ?? []), { rule: index, fragment, part: { ...match, start, end } }]);
      }
    }
  }
  return found;
}

/** Built-in filters that also look for cue words around a value. A property name can be such a word. */
const LABELLED = new Set<BuiltinFilter["slug"]>(["secrets", "phone", "ssn", "credit-card"]);
/** Maximum length of a value that is searched with its property's name; longer ones contain their cue words. */
const LONGEST_LABELLED = 256;

/** Finds matches in a property's value that need the property's name as a cue word. */
function searchByName(
  { text, label: own }: Fragment,
  leaf: ScanLeaf,
  rules: readonly ScanRule[],
  finders: Finders,
  stop: () => void,
): Hit[] {
  const { label = own } = leaf;
  if (label === undefined || leaf.isFixed || text.length > LONGEST_LABELLED || text.includes('"')) return [];
  const before = `${JSON.stringify(label)}: "`;
  let find: Search | undefined;
  return rules.flatMap((rule, index) => {
    const { detector } = rule;
    if (detector.kind !== "builtin" || !LABELLED.has(detector.slug) || !isInScope(rule, leaf)) return [];
    find ??= searchIn(`${before}${text}"`, finders, stop);
    const detections = find(detector).flatMap(({ start, end, ...match }) =>
      start < before.length || end > before.length + text.length
        ? []
        : [{ ...match, start: start - before.length, end: end - before.length }],
    );
    return detections.length > 0 ? [{ index, rule, phrase: null, detections }] : [];
  });
}

/** Merges the matches within a fragment with the parts of split matches. */
function joined(
  hits: readonly Hit[],
  split: readonly SplitMatch[] | undefined,
  rules: readonly ScanRule[],
): readonly Hit[] {
  if (!split && (hits.length < 2 || new Set(hits.map(({ index }) => index)).size === hits.length)) return hits;
  return rules.flatMap((rule, index) => {
    const within = hits.flatMap((hit) => (hit.index === index ? hit.detections : []));
    const detections = united([
      ...within,
      ...(split ?? []).flatMap(({ rule: of, part }) => (of === index ? [part] : [])),
    ]);
    return detections.length > 0 ? [{ index, rule, phrase: null, detections }] : [];
  });
}

function reported(
  before: Finding | undefined,
  { hit, fragment, leaf, isFixed }: { hit: Hit; fragment: Fragment; leaf: number; isFixed: boolean },
  mostSpans: number,
): Finding {
  const { index, phrase, detections } = hit;
  const { spans, families } = before ?? { spans: [], families: [] };
  const placed = detections
    .slice(0, mostSpans - spans.length)
    .map(({ start, end }) => ({ leaf, ...fragment.place(start, end) }));
  const named = detections.flatMap(({ family }) => family ?? []);
  return {
    rule: index,
    phrase,
    isFixed,
    spans: [...spans, ...placed],
    families: [...new Set([...families, ...named])],
  };
}
