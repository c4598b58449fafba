import type { BuiltinFilter, CustomFilter } from "../../engine/filters/contract";
import { DIRECTIONS, FILTER_ACTIONS, scans } from "../../engine/filters/vocabulary";
import { ruleReach } from "../../engine/filters/reach";
import type { LintFinding } from "./contract";
import { compilePattern } from "../../engine/filters/pattern";

type Filters = readonly CustomFilter[];

/** Diverse characters. A pattern that matches each of them matches everything. */
const ANYTHING = ["a", "Z", "0", " ", "é", "漢", "-"];

/** Example matches of the built-in filters that a short pattern could duplicate. */
const BUILTIN_EXAMPLES = {
  email: ["ada@example.com"],
  phone: ["+1 415 555 0132", "+14155550132"],
  ssn: ["536-90-4399"],
  "credit-card": ["4242 4242 4242 4242", "4242424242424242"],
  "ip-address": ["203.0.113.7"],
} as const satisfies Partial<Record<BuiltinFilter["slug"], readonly string[]>>;

type Scoped = Pick<CustomFilter, "action" | "scope">;

/** True when one filter acts in at least the same texts as another. */
const isAtLeastAsWide = (a: Scoped, b: Scoped) =>
  DIRECTIONS.every((direction) => scans(a.scope, direction) || !scans(b.scope, direction));
const weakness = (action: CustomFilter["action"]) => FILTER_ACTIONS.indexOf(action);
const isAtLeastAsStrict = (a: Scoped, b: Scoped) => weakness(a.action) <= weakness(b.action) && isAtLeastAsWide(a, b);

const isLiteral = (pattern: string) => !/[\\^$.|?*+()[\]{}]/.test(pattern);
/** True when a match depends on its surroundings. */
const looksAround = (pattern: string) => /[$^]|\\[bBAzZ]/.test(pattern);

/** Returns the first non-empty match in `text`. */
function firstMatch(pattern: string, text: string): string | null {
  const matcher = compilePattern(pattern).matcher(text);
  while (matcher.find()) {
    const found = matcher.group();
    if (found) return found;
  }
  return null;
}

const matchesEverything = ({ pattern }: CustomFilter) => ANYTHING.every((text) => firstMatch(pattern, text) === text);

const at = (index: number) => ["content_filters", index, "pattern"];
const without = (filters: Filters, index: number) => ({
  path: "content_filters" as const,
  value: filters.filter((_, other) => other !== index),
});

/** Finds a filter that makes another redundant: the same pattern, or one that covers all its matches. */
function shadowed(filters: Filters, index: number): LintFinding[] {
  const filter = filters[index] as CustomFilter;
  const twin = filters.findIndex(
    (other, place) =>
      place !== index &&
      other.pattern === filter.pattern &&
      isAtLeastAsStrict(other, filter) &&
      (place < index || !isAtLeastAsStrict(filter, other)),
  );
  if (twin >= 0) {
    const message = `Filter ${twin + 1} has the same pattern and an action that is at least as strict.`;
    return [{ severity: "warning", code: "duplicate_pattern", path: at(index), message, fix: without(filters, index) }];
  }
  if (!isLiteral(filter.pattern)) return [];
  const cover = filters.findIndex((other, place) => {
    if (place === index || other.pattern === filter.pattern || looksAround(other.pattern) || matchesEverything(other))
      return false;
    const found = firstMatch(other.pattern, filter.pattern);
    return other.action === "block" && isAtLeastAsWide(other, filter)
      ? found !== null
      : found === filter.pattern && isAtLeastAsStrict(other, filter);
  });
  if (cover < 0) return [];
  const message = `Redundant: filter ${cover + 1} already covers every match of “${filter.pattern}”.`;
  return [{ severity: "warning", code: "shadowed_pattern", path: at(index), message, fix: without(filters, index) }];
}

function tooWide(filters: Filters, index: number): LintFinding[] {
  const filter = filters[index] as CustomFilter;
  if (matchesEverything(filter)) {
    const isBlock = filter.action === "block";
    const message = `Matches everything${isBlock ? ": every request would be blocked" : ""}.`;
    return [
      {
        severity: isBlock ? "error" : "warning",
        code: "pattern_matches_everything",
        path: at(index),
        message,
        fix: without(filters, index),
      },
    ];
  }
  if (!matchesEmpty(filter.pattern)) return [];
  const message = "Also matches the empty string. Empty matches are ignored; use “+” instead of “*”.";
  return [
    { severity: "warning", code: "pattern_matches_empty", path: at(index), message, ...meantFix(filters, index) },
  ];
}

const matchesEmpty = (pattern: string) => compilePattern(pattern).matcher("").find();

/**
 * Suggests `[0-9]+` for `[0-9]*`, which matches the same without empty matches. A pattern with only empty matches is
 * removed.
 */
function meantFix(filters: Filters, index: number): Pick<LintFinding, "fix"> {
  const filter = filters[index] as CustomFilter;
  if (/^[\^$]*$|^\(\)$/.test(filter.pattern)) return { fix: without(filters, index) };
  const meant = filter.pattern.replace(/(?<!\\)\*(?=\??$)/, "+");
  if (meant === filter.pattern || matchesEmpty(meant)) return {};
  return {
    fix: {
      path: "content_filters",
      value: filters.map((other, place) => (place === index ? { ...filter, pattern: meant } : other)),
    },
  };
}

function builtinTwin(filters: Filters, index: number, builtins: readonly BuiltinFilter[]): LintFinding[] {
  const filter = filters[index] as CustomFilter;
  if (matchesEverything(filter)) return [];
  const same = Object.entries(BUILTIN_EXAMPLES).filter(([, examples]) =>
    examples.some((example) => firstMatch(filter.pattern, example) === example),
  );
  const builtin = builtins.find(({ slug }) => slug === same[0]?.[0]);
  if (same.length !== 1 || !builtin) return [];
  const finding = {
    severity: "info" as const,
    code: "builtin_duplicate" as const,
    path: at(index),
    message: `The builtin filter “${builtin.slug}” is on and has the same matches.`,
  };
  return [isAtLeastAsStrict(builtin, filter) ? { ...finding, fix: without(filters, index) } : finding];
}

/** Finds filters that hold back a streamed response to its end. */
export function lintHeldAnswers(filters: Filters, builtins: readonly BuiltinFilter[]): LintFinding[] {
  const held = (path: LintFinding["path"], reason: string): LintFinding => ({
    severity: "info",
    code: "response_held_back",
    path,
    message: `${reason}, so streamed responses are held back until they end.`,
  });
  return [
    ...builtins.flatMap(({ slug, scope }, index) =>
      scans(scope, "response") && ruleReach({ detector: { kind: "builtin", slug } }) === Infinity
        ? [held(["content_filter_builtins", index], "Prompt injections can have any length")]
        : [],
    ),
    ...filters.flatMap(({ pattern, scope }, index) =>
      scans(scope, "response") && ruleReach({ detector: { kind: "pattern", pattern } }) === Infinity
        ? [held(at(index), "Matches have no maximum length, such as “{1,20}” instead of “+” or “*” would set")]
        : [],
    ),
  ];
}

/** Finds problems of custom patterns that compile. */
export const lintPatterns = (filters: Filters, builtins: readonly BuiltinFilter[]): LintFinding[] =>
  filters.flatMap((_, index) => [
    ...tooWide(filters, index),
    ...shadowed(filters, index),
    ...builtinTwin(filters, index, builtins),
  ]);
