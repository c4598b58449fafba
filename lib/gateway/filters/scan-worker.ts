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
  /** Time to stop: `performance.timeOrigin + performance.now()`, which all threads share. */
  deadline: number;
}

export type ScanOutcome = { result: ScanResult } | { stopped: ScanStop["reason"] };

/** Compiled pattern sets, keyed by the patterns themselves, so that guardrails with equal patterns share them. */
const compiled = new LRUCache<string, PatternFinder>({
  max: 32,
  memoMethod: (key) => compilePatterns(JSON.parse(key) as string[]),
});

export default function scanTask({ rules, leaves, phrases, mostSpans, deadline }: ScanTask): ScanOutcome {
  const stop = () => {
    if (performance.timeOrigin + performance.now() > deadline) throw new ScanStop("timeout");
  };
  try {
    const patterns = compiled.memo(JSON.stringify(patternsOf(rules)));
    return { result: scan(rules, leaves, { builtins: BUILTIN_DETECTORS, patterns }, stop, phrases, mostSpans) };
  } catch (error) {
    if (error instanceof ScanStop) return { stopped: error.reason };
    throw error;
  }
}
