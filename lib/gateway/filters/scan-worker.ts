// Entry point of a worker thread: bundled separately, so it must not import server code.
import { LRUCache } from "lru-cache";
import { BUILTIN_DETECTORS } from "../../engine/filters/builtin-detectors";
import { compilePatterns, type PatternFinder } from "../../engine/filters/pattern-set";
import { patternsOf, scan, ScanStop, type ScanLeaf, type ScanResult, type ScanRule } from "../../engine/filters/scan";

export interface ScanTask {
  rules: readonly ScanRule[];
  leaves: readonly ScanLeaf[];
  /** Phrases whose matches don't count, see `scan`. */
  phrases: readonly string[];
  /** Maximum number of matches reported per rule; default MAX_SPANS. */
  mostSpans?: number;
  /** Time after which to stop. */
  stopMs: number;
}

export type ScanOutcome = { result: ScanResult } | { stopped: ScanStop["reason"] };

/** Compiled pattern sets, keyed by the patterns themselves, so that guardrails with equal patterns share them. */
const compiled = new LRUCache<string, PatternFinder>({
  max: 32,
  memoMethod: (key) => compilePatterns(JSON.parse(key) as string[]),
});

/** Short texts without a match, by the detectors and scopes of the rules. */
const clean = new LRUCache<string, LRUCache<string, true>>({
  max: 8,
  memoMethod: () => new LRUCache({ max: 10_000 }),
});

/** Runs every detector when the thread starts, so that its first request doesn't wait until they are loaded and compiled. */
scan(
  (Object.keys(BUILTIN_DETECTORS) as (keyof typeof BUILTIN_DETECTORS)[]).map((slug) => ({
    detector: { kind: "builtin", slug },
    action: "flag",
    label: "",
    userOnly: false,
  })),
  [{ text: "Ann Example, 1 Example Street, +1 202 555 0100, ann@example.com, 192.0.2.1", isUser: true, form: "text" }],
  { builtins: BUILTIN_DETECTORS, patterns: compilePatterns([]) },
  () => undefined,
);

export default function scanTask({ rules, leaves, phrases, mostSpans, stopMs }: ScanTask): ScanOutcome {
  const start = performance.now();
  const stop = () => {
    if (performance.now() - start > stopMs) throw new ScanStop("timeout");
  };
  try {
    const patterns = compiled.memo(JSON.stringify(patternsOf(rules)));
    const known = clean.memo(JSON.stringify(rules.map(({ detector, userOnly }) => [detector, userOnly])));
    const finders = {
      builtins: BUILTIN_DETECTORS,
      patterns,
      clean: { has: (text: string) => known.has(text), add: (text: string) => known.set(text, true) },
    };
    return { result: scan(rules, leaves, finders, stop, phrases, mostSpans) };
  } catch (error) {
    if (error instanceof ScanStop) return { stopped: error.reason };
    throw error;
  }
}
