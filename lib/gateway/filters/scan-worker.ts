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

/** Runs every detector when the thread starts, so that its first request doesn't wait until they are loaded and compiled. */
for (const detect of Object.values(BUILTIN_DETECTORS)) detect(SAMPLE);

const now = () => performance.now();

export default function scanTask(task: ScanTask): ScanOutcome {
  const patterns = compiled.memo(JSON.stringify(patternsOf(task.rules)));
  return runTask(task, { builtins: BUILTIN_DETECTORS, patterns }, now);
}
