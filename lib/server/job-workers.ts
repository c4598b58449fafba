import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import PgBoss from "pg-boss";
import { raiseAlerts } from "../records/budgets/alerts-service";
import type { OpenDatabase } from "../platform/database/open";
import type { Env } from "../platform/env";
import { deleteFullBuckets } from "../platform/http/rate-limiter";
import { logger } from "../platform/logger";
import { addBusySubjects, moveTagSums, rollUp } from "../features/analytics/rollup-service";
import { evaluateAlerts } from "../features/alerts/evaluate-service";
import { exportDispatch } from "../features/exports/run-service";
import { purge } from "../features/retention/service";
import { watchBlocks } from "../features/spikes/watch-service";
import { notificationDispatch } from "../records/notifications/delivery-service";
import { moveContents } from "../records/contents/move-store";
import type { ObjectContext } from "../records/contents/objects-store";
import { removeObjects } from "../records/contents/removal-store";
import { sweepObjects } from "../records/contents/sweep-store";
import { webhookDispatch } from "../records/webhooks/delivery-service";
import { enqueue, QUEUE_OPTIONS, runJobSql } from "../platform/jobs/queue";
import { runSteps } from "../platform/jobs/steps";

/** Interval at which a process looks for due deliveries: a statement of well below a millisecond. */
const LOOK_EVERY_MS = 2_000;
/** Interval for resuming jobs of crashed processes and archiving finished ones. */
const TIDY_EVERY_SECONDS = 30;
const KEPT_SECONDS = 60 * 60;
const WATCH_EVERY_SECONDS = 60;
/** Overview and analytics count what was recorded since one by one. */
const FIND_BUSY_EVERY_MS = 10 * 60_000;
const ROLL_UP_EVERY_MS = 10_000;
const EXPORT_EVERY_MS = 10_000;
const OBJECTS_EVERY_MS = 10_000;
const SWEEP_EVERY_MS = 24 * 60 * 60_000;
const QUEUE_SWEEP_EVERY_MS = 60_000;
const FIRST_PURGE_MS = 60_000;
const PURGE_EVERY_SECONDS = 60 * 60;
/** Ends a purge before its job expires, after which another process may start one. */
const PURGE_WITHIN_MS = 4 * 60_000;
/** Time limit for running deliveries on shutdown; interrupted ones are retried by another process. */
const STOP_WITHIN_MS = 2_000;

/** Runs queued jobs, alongside other processes with the same database. Returns the stop function. */
export function startJobWorkers(database: OpenDatabase, settings: Env, clock: () => Date): () => Promise<void> {
  const { client: db, runSql } = database;
  const stopping = new AbortController();
  const queueFailed = (err: unknown) => {
    logger().warn({ err }, "the job queue failed");
  };
  const boss = new PgBoss({
    ...QUEUE_OPTIONS,
    maintenanceIntervalSeconds: TIDY_EVERY_SECONDS,
    archiveCompletedAfterSeconds: KEPT_SECONDS,
    deleteAfterSeconds: KEPT_SECONDS,
    db: { executeSql: runJobSql(runSql, queueFailed) },
  });
  boss.on("error", queueFailed);
  const failed = (err: unknown) => {
    logger().error({ err }, "a job failed");
  };
  const queueWatch = () => {
    enqueue(db, [{ name: "watch", data: {}, singletonSeconds: WATCH_EVERY_SECONDS }]).catch(failed);
  };
  const timer = setInterval(queueWatch, WATCH_EVERY_SECONDS * 1000).unref();
  const stopQueueingPurges = queuePurges(db, failed);

  const { signal } = stopping;
  const stops = [
    repeated(() => rollUp(db, signal), ROLL_UP_EVERY_MS, failed),
    repeated(() => moveTagSums(db, signal), ROLL_UP_EVERY_MS, failed),
    repeated(() => addBusySubjects(db, clock(), signal), FIND_BUSY_EVERY_MS, failed),
    ...(settings.contentBucket ? [objectJobs({ db, settings }, clock, signal, failed)] : []),
  ];
  const context = { db, settings, clock, signal };
  const dispatches = [
    { dispatch: webhookDispatch(context, failed), everyMs: LOOK_EVERY_MS },
    { dispatch: notificationDispatch(context, failed), everyMs: LOOK_EVERY_MS },
    { dispatch: exportDispatch(context, failed), everyMs: EXPORT_EVERY_MS },
  ];
  const looks = dispatches.map(({ dispatch, everyMs }) => setInterval(() => void dispatch.look(), everyMs).unref());
  let purging: Promise<void> = Promise.resolve();
  const runPurge = () => {
    const running = purgeInTime(database, clock(), signal);
    purging = running.catch(() => undefined);
    return running;
  };
  const started = (async () => {
    await boss.start();
    // Jobs of a crashed process may have been due for long.
    await boss.maintain();
    await workQueues(boss, context, runPurge);
  })().catch(failed);

  return async () => {
    clearInterval(timer);
    stopQueueingPurges();
    for (const look of looks) clearInterval(look);
    stopping.abort(new Error("the process is stopping"));
    await started;
    const sent = Promise.all(dispatches.map(({ dispatch }) => dispatch.idle()));
    await Promise.all([...stops.map((stop) => stop()), purging, Promise.race([sent, sleep(STOP_WITHIN_MS)])]);
    await boss.stop({ timeout: STOP_WITHIN_MS });
  };
}

interface JobContext {
  db: OpenDatabase["client"];
  settings: Env;
  clock: () => Date;
  signal: AbortSignal;
}

/** Begins to run the jobs of each queue. */
async function workQueues(boss: PgBoss, context: JobContext, runPurge: () => Promise<void>): Promise<void> {
  const { db, settings, clock, signal } = context;
  await boss.work("watch", { pollingIntervalSeconds: WATCH_EVERY_SECONDS / 4 }, async () => {
    await runSteps("watch", {
      "budget alerts": () => raiseAlerts(db, clock()),
      "block spikes": () => watchBlocks(db, clock()),
      "alert rules": () => evaluateAlerts(db, settings, clock()),
      "rate limits": () => deleteFullBuckets(db, clock()),
    });
  });
  await boss.work("purge", { pollingIntervalSeconds: WATCH_EVERY_SECONDS / 4 }, runPurge);
  if (settings.contentBucket)
    await boss.work("content-sweep", { pollingIntervalSeconds: WATCH_EVERY_SECONDS }, async () => {
      await sweepObjects({ db, settings }, clock(), signal);
    });
}

/** Runs a job at an interval, never twice at once. Returns the function that ends it, after a running one. */
function repeated(run: () => Promise<unknown>, everyMs: number, failed: (err: unknown) => void): () => Promise<void> {
  let running: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    running ??= run()
      .catch(failed)
      .finally(() => {
        running = null;
      });
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** Queues a purge after the start and then hourly, once for all processes: at most one is queued, and one runs. Returns the function that ends it. */
function queuePurges(db: OpenDatabase["client"], failed: (err: unknown) => void): () => void {
  const first = setTimeout(() => {
    enqueue(db, [{ name: "purge", data: {} }]).catch(failed);
  }, FIRST_PURGE_MS).unref();
  const hourly = setInterval(() => {
    enqueue(db, [{ name: "purge", data: {}, singletonSeconds: PURGE_EVERY_SECONDS }]).catch(failed);
  }, PURGE_EVERY_SECONDS * 1000).unref();
  return () => {
    clearTimeout(first);
    clearInterval(hourly);
  };
}

/** Purges until the job is about to expire. What remains is left to a job that starts at once. */
async function purgeInTime(database: OpenDatabase, now: Date, stopping: AbortSignal): Promise<void> {
  const deadline = AbortSignal.timeout(PURGE_WITHIN_MS);
  try {
    await purge(database, now, AbortSignal.any([stopping, deadline]));
  } catch (error) {
    if (!deadline.aborted || stopping.aborted) throw error;
    logger().info("a purge reached its time limit; another one continues it");
    await enqueue(database.client, [{ name: "purge", data: {} }]);
  }
}

/**
 * Moves, removes and compares contents in the object storage. A comparison is always queued, for a day after the one before has begun: the queue
 * holds one at most. Returns the function that ends it.
 */
function objectJobs(
  context: ObjectContext,
  clock: () => Date,
  signal: AbortSignal,
  failed: (err: unknown) => void,
): () => Promise<void> {
  const keepUp = async () => {
    await removeObjects(context, signal);
    await moveContents(context, signal);
  };
  const queueSweep = () =>
    enqueue(context.db, [
      { name: "content-sweep", data: {}, startAfter: new Date(clock().getTime() + SWEEP_EVERY_MS) },
    ]);
  const stops = [repeated(keepUp, OBJECTS_EVERY_MS, failed), repeated(queueSweep, QUEUE_SWEEP_EVERY_MS, failed)];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
