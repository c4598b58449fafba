// Entry point of a worker thread: bundled separately, so it must not import server code.
import { BUILTIN_DETECTORS } from "../../engine/filters/builtin-detectors";
import { runTask, type ScanOutcome, type ScanTask } from "./scan-task";

/** Text in which every detector finds something to read. */
const SAMPLE = "Ann Example, 1 Example Street, +1 202 555 0100, ann@example.com, 192.0.2.1";
const loaded = new Set<string>();

/** Runs a task's detectors once before its time is measured, since they are compiled on first use. */
function load({ rules }: ScanTask): void {
  for (const { detector } of rules) {
    if (detector.kind === "pattern" || loaded.has(detector.slug)) continue;
    BUILTIN_DETECTORS[detector.slug](SAMPLE);
    loaded.add(detector.slug);
  }
}

export default function scanTask(task: ScanTask): ScanOutcome {
  load(task);
  return runTask(task, () => performance.now());
}
