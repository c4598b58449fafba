import { LRUCache } from "lru-cache";
import { scan, ScanStop, type ScanLeaf, type ScanResult, type ScanRule } from "../../engine/filters/scan";
import type { Finders } from "../../engine/filters/search";

export interface ScanTask {
  rules: readonly ScanRule[];
  leaves: readonly ScanLeaf[];
  /** Phrases whose matches don't count, see `scan`. */
  phrases: readonly string[];
  /** Maximum number of matches reported per rule; default MAX_SPANS. */
  mostSpans?: number | undefined;
  /** Time after which to stop. */
  stopMs: number;
}

export type ScanOutcome = { result: ScanResult } | { stopped: ScanStop["reason"] };

/** Text that every detector reads something in. */
export const SAMPLE = "Ann Example, 1 Example Street, +1 202 555 0100, ann@example.com, 192.0.2.1";

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

/** Runs a scan until its time is up, which `now` tells in milliseconds. */
export function runTask(
  { rules, leaves, phrases, mostSpans, stopMs }: ScanTask,
  finders: Omit<Finders, "clean">,
  now: () => number,
): ScanOutcome {
  const start = now();
  const stop = () => {
    if (now() - start > stopMs) throw new ScanStop("timeout");
  };
  try {
    const known = clean.memo(nameOf(rules));
    const remembered = { has: (text: string) => known.has(text), add: (text: string) => known.set(text, true) };
    const { builtins, patterns } = finders;
    return { result: scan(rules, leaves, { builtins, patterns, clean: remembered }, stop, phrases, mostSpans) };
  } catch (error) {
    if (error instanceof ScanStop) return { stopped: error.reason };
    throw error;
  }
}
