import type { FilterRule } from "../../engine/filters/filter-rule";
import type { FilterFinding } from "../../engine/filters/findings";
import type { Decision } from "../../engine/decision/contract";
import { ruleIdentity, type PolicyFacts } from "../../gateway/record/policy-facts";
import type { Exception } from "../../engine/policy/exception";
import { phrasesOf } from "../../engine/policy/active-exceptions";
import { filterRules } from "../../engine/policy/filter-rules";
import type { Layer } from "../../engine/policy/layers";
import { isAsWide, SCAN_SCOPES, type Direction, type ScanScope } from "../../engine/filters/vocabulary";
import type { Obstacle } from "./vocabulary";

/** The recorded facts about a request's content. */
interface RecordedContent {
  matched: PolicyFacts["matched"];
  /** The layers in force at the time. */
  layers: readonly Layer[];
  decisions: readonly Decision[];
  /** The reason content can't be read; null when it can. */
  missing: Obstacle | null;
}

/** Findings of rules that the record of a request shows. */
export interface Evidence {
  rules: readonly FilterRule[];
  phrases: readonly Exception[];
  /** Findings by rule index. */
  findings: ReadonlyMap<number, readonly FilterFinding[]>;
  /** Indexes of rules that need to scan the content. */
  unknown: readonly number[];
  /** Labels that redaction wrote into the stored content. */
  labels: ReadonlySet<string>;
  /** The reason the unknown rules can't be evaluated; null when they can, or when there are none. */
  obstacle: Obstacle | null;
}

interface Ruled {
  rules: readonly FilterRule[];
  identities: readonly string[];
  phrases: readonly Exception[];
}

/** Cached for layers shared by many requests. */
const known: Readonly<Record<Direction, WeakMap<readonly Layer[], Ruled>>> = {
  request: new WeakMap(),
  response: new WeakMap(),
};

function ruledBy(layers: readonly Layer[], direction: Direction): Ruled {
  let ruled = known[direction].get(layers);
  if (!ruled) {
    const rules = filterRules(layers, direction);
    known[direction].set(layers, (ruled = { rules, identities: rules.map(ruleIdentity), phrases: phrasesOf(layers) }));
  }
  return ruled;
}

/** A recorded finding. */
interface Match {
  rule: string;
  lifted: string | undefined;
  phrase: string | undefined;
  spans: FilterFinding["spans"];
  /** True when the match couldn't be redacted, so that the request was blocked. */
  isFixed: boolean;
  /** True when the match was redacted in the sent, and thus the stored, content. */
  isHidden: boolean;
  label: string;
}

/** Groups decisions by rule. A rule has one decision per guardrail that set it. Findings come first in a record. */
function matchesOf({ matched, decisions }: RecordedContent, { rules, identities }: Ruled): Match[] {
  let place = 0;
  return (matched ?? []).map(({ rule, lifted, phrase, fixed }) => {
    const matchedRule = rules.find((one, index) => identities[index] === rule && one.lifted?.id === lifted);
    const spans = decisions[place]?.spans ?? [];
    place += matchedRule?.sources.length ?? 1;
    return {
      rule,
      lifted,
      phrase,
      spans,
      isFixed: fixed === true,
      isHidden: matchedRule?.action !== "flag" && !lifted && !phrase,
      label: matchedRule?.label ?? "",
    };
  });
}

/** Splits a rule's identity. */
function scopeOf(identity: string): { scope: ScanScope; detector: string } {
  const scope = SCAN_SCOPES.find((name) => identity.startsWith(`${name}:`));
  return scope ? { scope, detector: identity.slice(scope.length + 1) } : { scope: "all_messages", detector: identity };
}

const isSameDetector = (identity: string, other: string) => scopeOf(identity).detector === scopeOf(other).detector;
/** True when one rule reads all texts of another rule with the same detector. */
const includes = (identity: string, other: string) => isAsWide(scopeOf(identity).scope, scopeOf(other).scope);

/**
 * Derives findings from a record. A rule in force at the time has its recorded matches, even without content. Other
 * rules must scan the stored content, which contains labels in place of redacted matches.
 */
export function evidenceOf(
  record: RecordedContent,
  layers: readonly Layer[],
  direction: Direction = "request",
): Evidence {
  const then = ruledBy(record.layers, direction);
  const now = ruledBy(layers, direction);
  const matches = matchesOf(record, then);
  const hasNewPhrase = now.phrases.some(({ id }) => then.phrases.every((phrase) => phrase.id !== id));
  const findings = new Map<number, readonly FilterFinding[]>();
  const unknown: number[] = [];
  let isHidden = false;

  for (const [place, rule] of now.rules.entries()) {
    const identity = now.identities[place] as string;
    const found = record.matched && recordedOf(identity, matches, then.identities);
    if (!found) unknown.push(place);
    else if (
      found.length > 0 &&
      ((hasNewPhrase && !rule.lifted) || found.every(({ rule: by }) => by !== identity && includes(by, identity)))
    ) {
      // A new phrase or a narrower scope may exclude some matches, which requires the text.
      if (found.some((match) => match.isHidden)) isHidden = true;
      unknown.push(place);
    } else if (found.length > 0) findings.set(place, asFindings(rule, found, now.phrases));
  }
  const labels = new Set(matches.filter((match) => match.isHidden).map(({ label }) => label));
  const isUncovered = matches.some(
    (match) => match.isHidden && !now.identities.some((identity) => isSameDetector(identity, match.rule)),
  );
  const isBlocked = [...findings.values()].flat().some(({ rule, exception }) => rule.action === "block" && !exception);
  const obstacle =
    isBlocked || unknown.length === 0
      ? null
      : record.matched === null
        ? "not_scanned"
        : (record.missing ?? (isHidden || isUncovered ? "redacted" : null));
  return { rules: now.rules, phrases: now.phrases, findings, unknown: isBlocked ? [] : unknown, labels, obstacle };
}

/** Returns a rule's recorded matches, which may be empty; null when it was not in force. */
function recordedOf(identity: string, matches: readonly Match[], inForce: readonly string[]): Match[] | null {
  const foundBy = (by: string) => matches.filter(({ rule }) => rule === by);
  if (inForce.includes(identity)) return foundBy(identity);
  const others = inForce.filter((other) => isSameDetector(other, identity));
  const wider = others.filter((other) => includes(other, identity)).map(foundBy);
  if (wider.length > 0) return wider.find(({ length }) => length === 0) ?? wider[0] ?? null;
  // Matches of a narrower scope are also matches of a wider one, but the absence of matches doesn't carry over.
  return others.map(foundBy).find(({ length }) => length > 0) ?? null;
}

/** Groups matches like filterInput: counted matches first, then the matches inside each phrase. */
function asFindings(rule: FilterRule, found: readonly Match[], phrases: readonly Exception[]): FilterFinding[] {
  const finding = (matches: readonly Match[], exception?: Exception): FilterFinding[] =>
    matches.length === 0
      ? []
      : [{ rule, spans: matches.flatMap(({ spans }) => spans), families: [], ...(exception && { exception }) }];
  const same = found.filter(({ lifted }) => lifted === rule.lifted?.id);
  const matches = same.length > 0 ? same : found.filter(({ lifted }) => lifted === found[0]?.lifted);
  if (rule.lifted) return finding(matches, rule.lifted);
  const isExcepted = ({ phrase }: Match) => phrases.some(({ id }) => id === phrase);
  const counted = matches.filter((match) => !isExcepted(match));
  const fixed = rule.action === "redact" ? counted.filter(({ isFixed }) => isFixed) : [];
  return [
    ...finding(counted.filter((match) => !fixed.includes(match))),
    ...finding(fixed).map((one) => ({ ...one, isFixed: true as const })),
    ...phrases.flatMap((exception) =>
      finding(
        matches.filter(({ phrase }) => phrase === exception.id),
        exception,
      ),
    ),
  ];
}

const NEVER = new Date(0);
const OF_LABEL = "label";

/**
 * Returns the phrases for scanning stored content, plus the labels that redaction wrote, because a match inside a label
 * doesn't count.
 */
export const ignoredPhrases = ({ phrases, labels }: Evidence): Exception[] => [
  ...phrases,
  ...[...labels].map((phrase): Exception => ({
    id: OF_LABEL,
    keyId: null,
    userId: null,
    guardrailId: null,
    kind: "allow_phrase",
    field: null,
    rule: null,
    raiseMicroUsd: null,
    phrase,
    reason: "",
    createdAt: NEVER,
    expiresAt: NEVER,
    endedAt: null,
  })),
];

/** Combines recorded and scanned findings in the order of the rules. */
export function allFindings({ rules, findings, unknown }: Evidence, read: readonly FilterFinding[]): FilterFinding[] {
  const real = read.filter(({ exception }) => exception?.id !== OF_LABEL);
  return rules.flatMap((rule, place) =>
    unknown.includes(place) ? real.filter((finding) => finding.rule === rule) : (findings.get(place) ?? []),
  );
}
