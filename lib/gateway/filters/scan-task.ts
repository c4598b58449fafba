import { LRUCache } from "lru-cache";
import { BUILTIN_DETECTORS } from "../../engine/filters/builtin-detectors";
import { compilePatterns, type PatternFinder } from "../../engine/filters/pattern-set";
import { patternsOf, scan, ScanStop, type ScanLeaf, type ScanResult, type ScanRule } from "../../engine/filters/scan";

export interface ScanTask {
  rules: readonly ScanRule[];
  leaves: readonly ScanLeaf[];
  /** Phrases whose matches are allowed, see `scan`. */
  phrases: readonly string[];
  /** Maximum number of matches reported per rule; default MAX_SPANS. */
  mostSpans?: number | undefined;
  /** Time after which to stop. */
  stopMs: number;
}

export type ScanOutcome = { result: ScanResult } | { stopped: ScanStop["reason"] };

/** Compiled sets of patterns by their sources, which guardrails with equal patterns share. */
const compiled = new LRUCache<string, PatternFinder>({
  max: 32,
  memoMethod: (key) => compilePatterns(JSON.parse(key) as string[]),
});

export const patternFinder = (rules: ScanTask["rules"]): PatternFinder =>
  compiled.memo(JSON.stringify(patternsOf(rules)));

/** Short texts without a match, by the detectors and scopes of the rules. */
const clean = new LRUCache<string, LRUCache<string, true>>({
  max: 8,
  memoMethod: () => new LRUCache({ max: 10_000 }),
});
/** The names of rules in `clean`, for callers that keep their rules. */
const names = new WeakMap<ScanTask["rules"], string>();

function nameOf(rules: ScanTask["rules"]): string {
  const known = names.get(rules);
  if (known !== undefined) return known;
  const name = JSON.stringify(rules.map(({ detector, scanScope }) => [detector, scanScope]));
  names.set(rules, name);
  return name;
}

/** Runs a scan until `now`, in milliseconds, exceeds `stopMs`. */
export function runTask({ rules, leaves, phrases, mostSpans, stopMs }: ScanTask, now: () => number): ScanOutcome {
  const known = clean.memo(nameOf(rules));
  const finders = {
    builtins: BUILTIN_DETECTORS,
    patterns: patternFinder(rules),
    clean: { has: (text: string) => known.has(text), add: (text: string) => known.set(text, true) },
  };
  const start = now();
  const stop = () => {
    if (now() - start > stopMs) throw new ScanStop("timeout");
  };
  try {
    return { result: scan(rules, leaves, finders, stop, phrases, mostSpans) };
  } catch (error) {
    if (error instanceof ScanStop) return { stopped: error.reason };
    throw error;
  }
}
