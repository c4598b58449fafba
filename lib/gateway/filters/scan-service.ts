import "server-only";
import { LRUCache } from "lru-cache";
import { Piscina } from "piscina";
import { builtFile } from "../../platform/build-folder.mjs";
import { logger } from "../../platform/logger";
import type { Context } from "../../platform/context";
import type { Signal } from "../../platform/signal";
import type { ScanResult } from "../../engine/filters/scan";
import { ScanBusy, ScanFailure, ScanTimeout, tooManyMatches } from "../../engine/filters/scan-failure";
import { FairQueue, type ScanOwner } from "./fair-queue";
import { InlineScans } from "./inline-scan-service";
import type { ScanOutcome, ScanTask } from "./scan-task";
import { processWide } from "../../platform/process-wide";

/** Maximum number of queued large scans per thread, and of those, of one organization. */
const MAX_WAITING = 256;
const MAX_WAITING_OF_ORGANIZATION = 64;
const MAX_HEAP_MB = 512;
/** A thread would otherwise take as much space for new objects as the process: 96 MB. */
const YOUNG_MB = 12;
/** Share of the time limit after which a scan stops itself, so that its thread survives. */
const OWN_STOP = 0.9;

/** The longest text of a small scan, in UTF-16 code units. Small scans have a thread that large ones never occupy. */
const SMALL_UNITS = 16 * 1024;
/** Time after which a small scan stops itself and is queued as a large one. */
const SMALL_STOP_MS = 500;
/** Weight of a small scan besides that of its text. */
const UNITS_PER_SCAN = 1024;
/** Time for which all scans of a caller are queued as large ones after a small one took too long. */
const SLOW_MS = 60_000;

/** The pool to use: for live requests, or for stored content. */
export type ScanQueue = "requests" | "replay";

/** Number of threads for stored content; the operating system gives them lower priority. */
const REPLAY_THREADS = 2;
const NICE = 10;

export interface ScanLimits {
  /** Time for the scans of one request, without waiting; and the longest time that each waits. */
  timeoutMs: number;
  /** Number of threads for large scans of requests. */
  workers: number;
  owner: ScanOwner;
  signal: Signal;
  queue?: ScanQueue;
  /** True for the answer to an admitted request, which is scanned even when the queue is full. */
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

/** An idle thread ends, and with it about 70 MB. */
const IDLE_MS = 60_000;

type Task = Omit<ScanTask, "stopMs">;

interface Waiting {
  start: () => void;
  refuse: (failure: ScanBusy) => void;
}

/**
 * Threads that are shared fairly between callers. Their environment is empty; lib/server/bundle-workers.mjs builds their
 * code.
 */
class ScanLanes {
  readonly #pool: Piscina<ScanTask, ScanOutcome>;
  readonly #queues: Record<"small" | "large", FairQueue<Waiting>>;
  readonly #threads: Record<"small" | "large", number>;
  readonly #running = { small: 0, large: 0 };
  readonly #slow = new LRUCache<string, true>({ max: 1000, ttl: SLOW_MS });

  constructor(threads: { small: number; large: number }, niceIncrement: number) {
    const total = threads.small + threads.large;
    this.#threads = threads;
    this.#pool = new Piscina({
      filename: builtFile("scan-worker.mjs"),
      minThreads: 0,
      maxThreads: total,
      idleTimeout: IDLE_MS,
      niceIncrement,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#pool.on("error", (err: unknown) => logger().error({ err }, "a content filter thread failed"));
    const queue = (size: number) =>
      new FairQueue<Waiting>({ total: MAX_WAITING * size, perOrganization: MAX_WAITING_OF_ORGANIZATION * size });
    // Small scans are bounded by their text: a burst of short ones takes a thread milliseconds.
    this.#queues = { small: queue(SMALL_UNITS), large: queue(threads.large) };
  }

  get threads(): Piscina["threads"] {
    return this.#pool.threads;
  }

  /** Runs a scan when it is its turn; returns how long it ran. */
  async run(task: Task, leftMs: number, limits: ScanLimits): Promise<{ result: ScanResult; ranMs: number }> {
    const units = task.leaves.reduce((sum, { text }) => sum + text.length, 0);
    const isSmall = this.#threads.small > 0 && units <= SMALL_UNITS && !this.#slow.has(limits.owner.subject);
    if (!isSmall) return this.#runIn("large", task, units, leftMs, limits);
    try {
      return await this.#runIn("small", task, units, leftMs, limits);
    } catch (error) {
      if (!(error instanceof ScanTimeout)) throw error;
      this.#slow.set(limits.owner.subject, true);
      return this.#runIn("large", task, units, leftMs, limits);
    }
  }

  async #runIn(
    lane: "small" | "large",
    task: Task,
    units: number,
    leftMs: number,
    limits: ScanLimits,
  ): Promise<{ result: ScanResult; ranMs: number }> {
    await this.#turn(lane, units, limits);
    const { timeoutMs } = limits;
    const start = performance.now();
    const stopMs = Math.min(leftMs * OWN_STOP, lane === "small" ? SMALL_STOP_MS : Infinity);
    const overtime = new AbortController();
    const timer = setTimeout(() => overtime.abort(), leftMs);
    try {
      const outcome = await this.#pool.run({ ...task, stopMs }, { signal: overtime.signal });
      if ("result" in outcome) return { result: outcome.result, ranMs: performance.now() - start };
      throw outcome.stopped === "timeout" ? new ScanTimeout(timeoutMs) : tooManyMatches();
    } catch (error) {
      if (error instanceof ScanFailure) throw error;
      if (overtime.signal.aborted) throw new ScanTimeout(timeoutMs);
      throw crashed(error);
    } finally {
      clearTimeout(timer);
      this.#running[lane] -= 1;
      this.#startNext();
    }
  }

  /** Waits for a thread. */
  #turn(
    lane: "small" | "large",
    units: number,
    { owner, signal, timeoutMs, isAdmitted = false }: ScanLimits,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        this.#queues[lane].remove(waiting);
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
      const weight = lane === "small" ? units + UNITS_PER_SCAN : 1;
      const entry = { item: waiting, cost: units + 1, weight, isKept: isAdmitted };
      for (const dropped of this.#queues[lane].push(owner, entry)) dropped.refuse(new ScanBusy());
      this.#startNext();
    });
  }

  /** A thread of large scans that nobody waits for may run a small one. */
  #startNext(): void {
    const { small, large } = this.#queues;
    const start = (lane: "small" | "large") => {
      this.#running[lane] += 1;
      this.#queues[lane].shift()?.start();
    };
    const free = () => this.#threads.small + this.#threads.large - this.#running.small - this.#running.large;
    while (free() > 0 && large.size > 0 && this.#running.large < this.#threads.large) start("large");
    while (free() > 0 && small.size > 0) start("small");
  }
}

const scanLanes = processWide("scan lanes", (): Partial<Record<ScanQueue, ScanLanes>> => ({}));
const inlineScans = processWide("inline scans", () => new InlineScans());

function lanesOf(queue: ScanQueue, workers: number): ScanLanes {
  const lanes = scanLanes();
  return (lanes[queue] ??=
    queue === "replay"
      ? new ScanLanes({ small: 0, large: REPLAY_THREADS }, NICE)
      : new ScanLanes({ small: 1, large: workers }, 0));
}

/**
 * Runs a scan for at most `leftMs`: a small one at once, another in a worker thread, which is terminated after that time
 * with `ScanTimeout`. Throws `ScanBusy` when it waits longer than the time limit or the queue is full, and another
 * `ScanFailure` when the thread crashed.
 */
export function runScan(
  task: Task,
  leftMs: number,
  limits: ScanLimits,
): { result: ScanResult; ranMs: number } | Promise<{ result: ScanResult; ranMs: number }> {
  const { queue = "requests", owner, workers } = limits;
  const inline = queue === "requests" ? scannedInline(task, leftMs, owner) : null;
  if (!inline) return lanesOf(queue, workers).run(task, leftMs, limits);
  if ("result" in inline.outcome) return { result: inline.outcome.result, ranMs: inline.ranMs };
  throw tooManyMatches();
}

function scannedInline(task: Task, leftMs: number, owner: ScanOwner) {
  try {
    const { rules, leaves, phrases, mostSpans } = task;
    return inlineScans().run({ rules, leaves, phrases, mostSpans, stopMs: leftMs * OWN_STOP }, ownerKey(owner));
  } catch (error) {
    throw crashed(error);
  }
}

const ownerKey = ({ organizationId, subject }: ScanOwner) => `${organizationId} ${subject}`;
