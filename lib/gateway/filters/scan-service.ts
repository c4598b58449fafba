import "server-only";
import { join } from "node:path";
import { Piscina } from "piscina";
import { logger } from "../../platform/logger";
import type { ScanResult } from "../../engine/filters/scan";
import { ScanFailure, ScanTimeout, tooManyMatches } from "../../engine/filters/scan-failure";
import type { ScanOutcome, ScanTask } from "./scan-worker";

/** Maximum number of queued scans per thread. */
const MAX_WAITING = 64;
const MAX_HEAP_MB = 512;
/** Share of the time limit after which a scan stops itself, so that its thread survives. */
const OWN_STOP = 0.9;

type ScanPool = Piscina<ScanTask, ScanOutcome>;

/** The pool to use: for live requests, or for stored content. */
export type ScanQueue = "requests" | "replay";

/** One pool of each kind per process, shared by all bundles. */
const holder = globalThis as typeof globalThis & { __signalboxScanPools?: Partial<Record<ScanQueue, ScanPool>> };

/** Number of threads for stored content; the operating system gives them lower priority. */
const REPLAY_THREADS = 2;
const NICE = 10;

/** Starts a pool whose threads have an empty environment. lib/server/bundle-workers.mjs builds their code. */
function openPool(threads: number, niceIncrement: number): ScanPool {
  const pool: ScanPool = new Piscina({
    filename: join(/* turbopackIgnore: true */ process.cwd(), ".next/scan-worker.mjs"),
    minThreads: threads,
    maxThreads: threads,
    niceIncrement,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  pool.on("error", (err: unknown) => logger().error({ err }, "a content filter thread failed"));
  return pool;
}

/** Starts the threads in advance, so that the first request doesn't wait for them. */
export function warmScanPool(threads: number): void {
  poolOf("requests", threads);
}

function poolOf(queue: ScanQueue, workers: number): ScanPool {
  const pools = (holder.__signalboxScanPools ??= {});
  return (pools[queue] ??= queue === "replay" ? openPool(REPLAY_THREADS, NICE) : openPool(workers, 0));
}

export interface ScanLimits {
  timeoutMs: number;
  /** Number of threads for requests. */
  workers: number;
  queue?: ScanQueue;
  /** True for the answer to an admitted request, which is scanned even when the queue is full. */
  isAdmitted?: boolean;
}

/**
 * Runs a scan in a worker thread. Terminates the thread and throws `ScanTimeout` after the deadline
 * (`performance.now()` clock); throws `ScanFailure` when the queue is full or the thread crashed.
 */
export async function runScan(
  task: Omit<ScanTask, "deadline">,
  limits: ScanLimits & { deadline: number },
): Promise<ScanResult> {
  const pool = poolOf(limits.queue ?? "requests", limits.workers);
  if (!limits.isAdmitted && pool.queueSize >= MAX_WAITING * pool.options.maxThreads)
    throw new ScanFailure("busy", "Too many requests are waiting for the content filters");
  const left = limits.deadline - performance.now();
  const overtime = new AbortController();
  const timer = setTimeout(() => overtime.abort(), left);
  try {
    const ownDeadline = performance.timeOrigin + limits.deadline - limits.timeoutMs * (1 - OWN_STOP);
    const outcome = await pool.run({ ...task, deadline: ownDeadline }, { signal: overtime.signal });
    if ("result" in outcome) return outcome.result;
    throw outcome.stopped === "timeout" ? new ScanTimeout(limits.timeoutMs) : tooManyMatches();
  } catch (error) {
    if (error instanceof ScanFailure) throw error;
    if (overtime.signal.aborted) throw new ScanTimeout(limits.timeoutMs);
    throw new ScanFailure("crash", "Request blocked: the content filters failed", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
