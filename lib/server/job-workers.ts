import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { raiseAlerts } from "../records/budgets/alerts-service";
import type { OpenDatabase } from "../platform/database/open";
import type { Env } from "../platform/env";
import { deleteFullBuckets } from "../platform/http/rate-limiter";
import { logger } from "../platform/logger";
import { rollUp } from "../features/analytics/rollup-service";
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
import { makeDue, runIfDue } from "../platform/jobs/recurring-store";
import { runSteps } from "../platform/jobs/steps";

/** Interval at which a process looks for due deliveries, which takes less than a millisecond. */
const LOOK_EVERY_MS = 2_000;
/** Interval at which a process looks for due jobs. */
const JOBS_EVERY_MS = 15_000;
/** Overview and analytics count newer generations one by one. */
const ROLL_UP_EVERY_MS = 10_000;
const EXPORT_EVERY_MS = 10_000;
const OBJECTS_EVERY_MS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Ends a purge before another process would take over. */
const PURGE_WITHIN_MS = 4 * MINUTE_MS;
/** Time limit for running deliveries on shutdown; interrupted ones are retried by another process. */
const STOP_WITHIN_MS = 2_000;

const WATCH = { name: "watch", everyMs: MINUTE_MS, limitMs: 5 * MINUTE_MS } as const;
const PURGE = { name: "purge", everyMs: HOUR_MS, limitMs: 5 * MINUTE_MS } as const;
const SWEEP = { name: "content-sweep", everyMs: 24 * HOUR_MS, limitMs: HOUR_MS } as const;

/** Runs background jobs, alongside other processes with the same database. Returns the stop function. */
export function startJobWorkers(database: OpenDatabase, settings: Env, clock: () => Date): () => Promise<void> {
  const { client: db } = database;
  const stopping = new AbortController();
  const { signal } = stopping;
  const failed = (err: unknown) => {
    logger().error({ err }, "a job failed");
  };
  const context = { db, settings, clock, signal };
  const watch = () =>
    runSteps("watch", {
      "budget alerts": () => raiseAlerts(db, clock()),
      "block spikes": () => watchBlocks(db, clock()),
      "alert rules": () => evaluateAlerts(db, settings, clock()),
      "rate limits": () => deleteFullBuckets(db, clock()),
    });
  const stops = [
    repeated(() => rollUp(db, signal), ROLL_UP_EVERY_MS, failed),
    repeated(() => runIfDue(db, WATCH, watch), JOBS_EVERY_MS, failed),
    repeated(() => runIfDue(db, PURGE, () => purgeInTime(database, clock(), signal)), JOBS_EVERY_MS, failed),
    ...(settings.contentBucket ? objectJobs({ db, settings }, clock, signal, failed) : []),
  ];
  const dispatches = [
    { dispatch: webhookDispatch(context, failed), everyMs: LOOK_EVERY_MS },
    { dispatch: notificationDispatch(context, failed), everyMs: LOOK_EVERY_MS },
    { dispatch: exportDispatch(context, failed), everyMs: EXPORT_EVERY_MS },
  ];
  const looks = dispatches.map(({ dispatch, everyMs }) => setInterval(() => void dispatch.look(), everyMs).unref());

  return async () => {
    for (const look of looks) clearInterval(look);
    stopping.abort(new Error("the process is stopping"));
    const sent = Promise.all(dispatches.map(({ dispatch }) => dispatch.idle()));
    await Promise.all([...stops.map((stop) => stop()), Promise.race([sent, sleep(STOP_WITHIN_MS)])]);
  };
}

/** Runs a job at an interval, never twice at once. Returns a function that stops it after a running job has ended. */
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

/** Purges until the time limit or the end of the process. The next purge continues, and is due at once. */
async function purgeInTime(database: OpenDatabase, now: Date, stopping: AbortSignal): Promise<void> {
  const ending = AbortSignal.any([stopping, AbortSignal.timeout(PURGE_WITHIN_MS)]);
  try {
    await purge(database, now, ending);
  } catch (error) {
    if (!ending.aborted) throw error;
    logger().info("a purge was ended; another one continues it");
    await makeDue(database.client, "purge");
  }
}

/** Moves, removes and compares contents in the object storage. Returns the functions that end these jobs. */
function objectJobs(
  context: ObjectContext,
  clock: () => Date,
  signal: AbortSignal,
  failed: (err: unknown) => void,
): (() => Promise<void>)[] {
  const keepUp = async () => {
    await removeObjects(context, signal);
    await moveContents(context, signal);
  };
  const sweep = () => sweepObjects(context, clock(), signal);
  return [
    repeated(keepUp, OBJECTS_EVERY_MS, failed),
    repeated(() => runIfDue(context.db, SWEEP, sweep), MINUTE_MS, failed),
  ];
}
