// The first process with SIGNALBOX_WORKERS. It starts workers that share the port, replaces workers that end, and collects their metrics.
// It opens no database and serves no requests.
import cluster from "node:cluster";
import { fileURLToPath } from "node:url";
import { processSettings } from "../platform/process-settings.mjs";
import { WorkerMetrics } from "./worker-metrics.mjs";

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;
/** A worker that ran this long ended for a new reason, so the delay starts over. */
const STABLE_MS = 60_000;
/** A little longer than the maximum time for a worker to end. */
const STOP_WITHIN_MS = 12_000 + processSettings(process.env).drainMs;

/** Delay before a worker that ended is replaced. @param {number} failures in a row, from 1 */
export const restartDelayMs = (failures) =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 20));

const [INFO, WARN] = [30, 40];

/** Logs a line like those of the workers. @param {number} level @param {object} fields @param {string} msg */
const log = (level, fields, msg) =>
  process.stdout.write(`${JSON.stringify({ level, time: Date.now(), ...fields, msg })}\n`);

/** The first worker migrates and sets up the database before the others start. @param {number} count */
export function startWorkers(count) {
  // Workers accept connections themselves. A connection that the primary hands to a dying worker would never get a response.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: fileURLToPath(new URL("serve.mjs", import.meta.url)) });
  const metrics = new WorkerMetrics(cluster);
  let isReady = false;
  let isStopping = false;
  let failures = 0;

  const start = () => {
    const startedAt = Date.now();
    const worker = cluster.fork();
    log(INFO, { worker: worker.id, pid: worker.process.pid }, `worker ${worker.id} started`);
    worker.on("message", ({ type }) => {
      if (isReady || type !== "signalbox:ready") return;
      isReady = true;
      for (let started = 1; started < count; started++) start();
    });
    worker.once("exit", (code, signal) => {
      metrics.keep(worker.id);
      if (isStopping) return;
      // The worker has logged the reason.
      if (!isReady) process.exit(code || 1);
      failures = Date.now() - startedAt > STABLE_MS ? 1 : failures + 1;
      const delayMs = restartDelayMs(failures);
      log(
        WARN,
        { worker: worker.id, pid: worker.process.pid, code, signal, delay_ms: delayMs },
        "a worker ended and is replaced",
      );
      setTimeout(() => isStopping || start(), delayMs);
    });
  };

  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    const running = Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);
    let left = running.length;
    for (const worker of running) {
      worker.once("exit", () => --left === 0 && process.exit(0));
      worker.process.kill("SIGTERM");
    }
    if (left === 0) process.exit(0);
    setTimeout(() => {
      for (const worker of running) worker.process.kill("SIGKILL");
      process.exit(0);
    }, STOP_WITHIN_MS);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  start();
}
