// Entry point of a worker thread: bundled separately, so it must not import server code.
import { LRUCache } from "lru-cache";
import { BUILTIN_DETECTORS } from "../../engine/filters/builtin-detectors";
import { compilePatterns, type PatternFinder } from "../../engine/filters/pattern-set";
import { patternsOf } from "../../engine/filters/scan";
import { runTask, SAMPLE, type ScanOutcome, type ScanTask } from "./scan-task";

/** Compiled pattern sets, keyed by the patterns themselves, so that guardrails with equal patterns share them. */
const compiled = new LRUCache<string, PatternFinder>({
  max: 32,
  memoMethod: (key) => compilePatterns(JSON.parse(key) as string[]),
});

const loaded = new Set<string>();

/** Runs a task's detectors once before its time is measured, because they are loaded and compiled when they are first used. */
function load({ rules }: ScanTask): void {
  for (const { detector } of rules) {
    if (detector.kind === "pattern" || loaded.has(detector.slug)) continue;
    BUILTIN_DETECTORS[detector.slug](SAMPLE);
    loaded.add(detector.slug);
  }
}

const now = () => performance.now();

export default function scanTask(task: ScanTask): ScanOutcome {
  load(task);
  const patterns = compiled.memo(JSON.stringify(patternsOf(task.rules)));
  return runTask(task, { builtins: BUILTIN_DETECTORS, patterns }, now);
}
