import "server-only";
import { join } from "node:path";
import { Piscina } from "piscina";
import { logger } from "../logger";
import type { ScanResult } from "./scan";
import { ScanFailure, ScanTimeout, tooManyMatches } from "./scan-failure";
import type { ScanOutcome, ScanTask } from "./scan-worker";

/** Scans that wait for a thread, per thread. */
const MAX_WAITING = 64;
const MAX_HEAP_MB = 512;
/** The part of its time after which a scan stops by itself, so that its thread lives on. */
const OWN_STOP = 0.9;

type ScanPool = Piscina<ScanTask, ScanOutcome>;

/** Whose threads: those of requests that wait for their answer, or those that read what is stored. */
export type ScanQueue = "requests" | "replay";

/** One pool of each kind per process, whichever bundle asks. */
const holder = globalThis as typeof globalThis & { __signalboxScanPools?: Partial<Record<ScanQueue, ScanPool>> };

/** Threads for what is stored: the operating system gives all others their turn first. */
const REPLAY_THREADS = 2;
const NICE = 10;

/** Threads see nothing of the environment. Their code is made by lib/server/bundle-scan-worker.mjs. */
function openPool(threads: number, niceIncrement: number): ScanPool {
  const pool: ScanPool = new Piscina({
    filename: join(/* turbopackIgnore: true */ process.cwd(), ".next/scan-worker.mjs"),
    minThreads: threads,
    maxThreads: threads,
    niceIncrement,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  pool.on("error", (err: unknown) => logger().error({ err }, "a thread of the content filters failed"));
  return pool;
}

/** Starts the threads, so that the first request doesn't wait for them. */
export function warmScanPool(threads: number): void {
  poolOf("requests", threads);
}

function poolOf(queue: ScanQueue, workers: number): ScanPool {
  const pools = (holder.__signalboxScanPools ??= {});
  return (pools[queue] ??= queue === "replay" ? openPool(REPLAY_THREADS, NICE) : openPool(workers, 0));
}

export interface ScanLimits {
  timeoutMs: number;
  /** Threads for requests. */
  workers: number;
  queue?: ScanQueue;
}

/**
 * Scans in a worker thread. Past the deadline, of the clock `performance.now()`, the thread is terminated and `ScanTimeout` thrown;
 * a full queue and a thread that died are `ScanFailure`s.
 */
export async function runScan(
  task: Pick<ScanTask, "rules" | "leaves" | "phrases">,
  limits: ScanLimits & { deadline: number },
): Promise<ScanResult> {
  const pool = poolOf(limits.queue ?? "requests", limits.workers);
  if (pool.queueSize >= MAX_WAITING * pool.options.maxThreads)
    throw new ScanFailure("busy", "Too many requests wait for the content filters");
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
