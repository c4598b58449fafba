import "server-only";
import { Piscina } from "piscina";
import { builtFile } from "../../platform/build-folder.mjs";
import { logger } from "../../platform/logger";
import type { Context } from "../../platform/context";
import type { Signal } from "../../platform/signal";
import { patternsOf, type ScanResult } from "../../engine/filters/scan";
import { ScanBusy, ScanFailure, ScanTimeout, tooManyMatches } from "../../engine/filters/scan-failure";
import { FairQueue, type ScanOwner } from "./fair-queue";
import { patternFinder, runTask, type ScanOutcome, type ScanTask } from "./scan-task";
import { processWide } from "../../platform/process-wide";

/**
 * Limits of texts that are scanned inline, because a message to a thread costs as much: UTF-16 code units, number of
 * patterns, and pattern size times text length, which bounds the worst case. A scan longer than some milliseconds moves
 * to a thread.
 */
const [INLINE_UNITS, INLINE_PATTERNS, INLINE_STEPS, INLINE_MS] = [4096, 64, 4_000_000, 8];
/** Maximum number of waiting code units per thread, for one organization and for all. */
const MAX_WAITING_OF_ORGANIZATION = 16 * 1024 * 1024;
const MAX_WAITING = 4 * MAX_WAITING_OF_ORGANIZATION;
/** Minimum and maximum weight of a waiting text. */
const [LEAST_WEIGHT, MOST_WEIGHT] = [1024, 256 * 1024];
const MAX_HEAP_MB = 512;
/** By default, a thread takes as much space for new objects as the process: 96 MB. */
const YOUNG_MB = 12;
/** Share of the time limit after which a scan stops itself, so that its thread survives. */
const OWN_STOP = 0.9;

/** The pool to use: for live requests, or for stored content. */
export type ScanQueue = "requests" | "replay";

/** Number of threads for stored content; the operating system gives them lower priority. */
const REPLAY_THREADS = 2;
const NICE = 10;

export interface ScanLimits {
  /** Time for the scans of one request without waiting, and the maximum wait of each. */
  timeoutMs: number;
  /** Number of additional threads for requests. */
  workers: number;
  owner: ScanOwner;
  signal: Signal;
  queue?: ScanQueue;
  /** True for the response to an admitted request, which is scanned even when the queue is full. */
  isAdmitted?: boolean;
}

export const scanLimits = ({
  settings,
  signal,
  caller,
}: Pick<Context, "settings" | "signal" | "caller">): ScanLimits => ({
  timeoutMs: settings.filterTimeoutMs,
  workers: settings.filterWorkers,
  signal,
  owner: {
    organizationId: caller.organizationId,
    subject: caller.kind === "key" ? caller.keyId : caller.userId,
  },
});

const crashed = (cause: unknown) => new ScanFailure("crash", "Request blocked: the content filters failed", { cause });

/** Idle time after which a thread ends and frees about 70 MB. */
const IDLE_MS = 60_000;

type Task = Omit<ScanTask, "stopMs">;

interface Waiting {
  start: () => void;
  refuse: (failure: ScanBusy) => void;
}

/**
 * Threads that are shared fairly between callers. Their environment is empty; lib/server/bundle-workers.mjs builds
 * their code.
 */
class ScanThreads {
  readonly #pool: Piscina<ScanTask, ScanOutcome>;
  readonly #queue: FairQueue<Waiting>;
  #free: number;

  constructor(threads: number, niceIncrement: number) {
    this.#free = threads;
    this.#queue = new FairQueue({
      total: MAX_WAITING * threads,
      perOrganization: MAX_WAITING_OF_ORGANIZATION * threads,
    });
    this.#pool = new Piscina({
      filename: builtFile("scan-worker.mjs"),
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      niceIncrement,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#pool.on("error", (err: unknown) => logger().error({ err }, "a content filter thread failed"));
  }

  get threads(): Piscina["threads"] {
    return this.#pool.threads;
  }

  /** Runs a scan when its turn comes; returns its duration. */
  async run(task: Task, leftMs: number, limits: ScanLimits): Promise<Scanned> {
    await this.#turn(unitsOf(task), limits);
    const start = performance.now();
    const overtime = new AbortController();
    const timer = setTimeout(() => overtime.abort(), leftMs);
    try {
      const outcome = await this.#pool.run({ ...task, stopMs: leftMs * OWN_STOP }, { signal: overtime.signal });
      return scanned(outcome, performance.now() - start, limits);
    } catch (error) {
      if (error instanceof ScanFailure) throw error;
      if (overtime.signal.aborted) throw new ScanTimeout(limits.timeoutMs);
      throw crashed(error);
    } finally {
      clearTimeout(timer);
      this.#free += 1;
      this.#startNext();
    }
  }

  /** Waits for a thread. */
  #turn(units: number, { owner, signal, timeoutMs, isAdmitted = false }: ScanLimits): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        this.#queue.remove(waiting);
        settle(() => reject(reason instanceof Error ? reason : new Error(String(reason))));
      };
      const abandon = () => leave(signal.reason);
      const timer = setTimeout(() => leave(new ScanBusy()), timeoutMs);
      const settle = (end: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abandon);
        end();
      };
      const waiting: Waiting = { start: () => settle(resolve), refuse: (failure) => settle(() => reject(failure)) };
      signal.addEventListener("abort", abandon, { once: true });
      const weight = Math.min(MOST_WEIGHT, LEAST_WEIGHT + units);
      for (const dropped of this.#queue.push(owner, { item: waiting, cost: units + 1, weight, isKept: isAdmitted }))
        dropped.refuse(new ScanBusy());
      this.#startNext();
    });
  }

  #startNext(): void {
    while (this.#free > 0 && this.#queue.size > 0) {
      this.#free -= 1;
      this.#queue.shift()?.start();
    }
  }
}

interface Scanned {
  result: ScanResult;
  ranMs: number;
}

function scanned(outcome: ScanOutcome, ranMs: number, { timeoutMs }: ScanLimits): Scanned {
  if ("result" in outcome) return { result: outcome.result, ranMs };
  throw outcome.stopped === "timeout" ? new ScanTimeout(timeoutMs) : tooManyMatches();
}

const unitsOf = ({ leaves }: Task) => leaves.reduce((sum, { text }) => sum + text.length, 0);

const scanThreads = processWide("scan threads", (): Partial<Record<ScanQueue, ScanThreads>> => ({}));

function threadsOf(queue: ScanQueue, workers: number): ScanThreads {
  const threads = scanThreads();
  return (threads[queue] ??=
    queue === "replay" ? new ScanThreads(REPLAY_THREADS, NICE) : new ScanThreads(workers + 1, 0));
}

/** True for a scan that is certainly short. */
const isShort = (task: Task, units: number) =>
  units <= INLINE_UNITS &&
  patternsOf(task.rules).length <= INLINE_PATTERNS &&
  patternFinder(task.rules).size * units <= INLINE_STEPS;

/**
 * Runs a scan for at most `leftMs`, inline if it is short, otherwise in a worker thread. The thread is terminated after
 * that time with `ScanTimeout`. Throws `ScanBusy` when the wait exceeds the time limit or the queue is full, and
 * another `ScanFailure` when the thread crashed.
 */
export function runScan(task: Task, leftMs: number, limits: ScanLimits): Scanned | Promise<Scanned> {
  const { queue = "requests", workers } = limits;
  const inline = queue === "requests" ? runInline(task, leftMs, limits) : null;
  return inline ?? threadsOf(queue, workers).run(task, leftMs, limits);
}

/** Runs a short scan; returns null for a long scan, or if it takes longer than expected. */
function runInline(task: Task, leftMs: number, limits: ScanLimits): Scanned | null {
  const start = performance.now();
  let outcome: ScanOutcome;
  try {
    if (!isShort(task, unitsOf(task))) return null;
    outcome = runTask({ ...task, stopMs: Math.min(leftMs * OWN_STOP, INLINE_MS) }, () => performance.now());
  } catch (error) {
    throw crashed(error);
  }
  const isStopped = "stopped" in outcome && outcome.stopped === "timeout";
  return isStopped ? null : scanned(outcome, performance.now() - start, limits);
}
