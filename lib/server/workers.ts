import "server-only";
import PgBoss from "pg-boss";
import { raiseAlerts } from "../records/budgets/alerts-service";
import type { OpenDatabase } from "../platform/database/open";
import type { Env } from "../platform/env";
import { deleteFullBuckets } from "../platform/http/rate-limiter";
import { logger } from "../platform/logger";
import { rollUp } from "../features/analytics/rollup-service";
import { evaluateAlerts } from "../features/alerts/evaluate-service";
import { watchBlocks } from "../features/spikes/watch-service";
import { deliverNotification } from "../records/notifications/delivery-service";
import { deliver } from "../records/webhooks/delivery-service";
import { enqueue, QUEUE_OPTIONS, type Job } from "../platform/jobs/queue";

/** Polling interval of an idle process: one statement of well below a millisecond. */
const LOOK_EVERY_SECONDS = 2;
const DELIVERIES_AT_ONCE = 20;
/** Interval for resuming jobs of crashed processes and archiving finished ones. */
const TIDY_EVERY_SECONDS = 30;
const KEPT_SECONDS = 60 * 60;
const WATCH_EVERY_SECONDS = 60;
/** Overview and analytics count what was recorded since one by one. */
const ROLL_UP_EVERY_MS = 10_000;
/** Time limit for running deliveries on shutdown; interrupted ones are retried by another process. */
const STOP_WITHIN_MS = 2_000;

type Data<Name extends Job["name"]> = Extract<Job, { name: Name }>["data"];

/** Runs queued jobs, alongside other processes with the same database. Returns the stop function. */
export function startWorkers(
  { client: db, runSql }: OpenDatabase,
  settings: Env,
  clock: () => Date,
): () => Promise<void> {
  const stopping = new AbortController();
  const boss = new PgBoss({
    ...QUEUE_OPTIONS,
    maintenanceIntervalSeconds: TIDY_EVERY_SECONDS,
    archiveCompletedAfterSeconds: KEPT_SECONDS,
    deleteAfterSeconds: KEPT_SECONDS,
    db: { executeSql: runSql },
  });
  boss.on("error", (err) => {
    logger().warn({ err }, "job queue error");
  });
  const failed = (err: unknown) => {
    logger().error({ err }, "a job failed");
  };
  const courier = { db, settings, clock, signal: stopping.signal };
  const askForWatch = () => {
    enqueue(db, [{ name: "watch", data: {}, singletonSeconds: WATCH_EVERY_SECONDS }]).catch(failed);
  };
  const timer = setInterval(askForWatch, WATCH_EVERY_SECONDS * 1000).unref();

  let rollingUp: Promise<unknown> = Promise.resolve();
  let isRollingUp = false;
  const rollUpAgain = () => {
    if (isRollingUp) return;
    isRollingUp = true;
    rollingUp = rollUp(db, stopping.signal)
      .catch(failed)
      .finally(() => {
        isRollingUp = false;
      });
  };
  const rollUpTimer = setInterval(rollUpAgain, ROLL_UP_EVERY_MS).unref();

  const started = (async () => {
    await boss.start();
    // Jobs of a crashed process may have been due for long.
    await boss.maintain();
    const options = { pollingIntervalSeconds: LOOK_EVERY_SECONDS, batchSize: DELIVERIES_AT_ONCE };
    await boss.work<Data<"webhook-delivery">>("webhook-delivery", options, (jobs) =>
      all(jobs.map(({ data }) => deliver(courier, data))),
    );
    await boss.work<Data<"notification-delivery">>("notification-delivery", options, (jobs) =>
      all(jobs.map(({ data }) => deliverNotification(courier, data))),
    );
    await boss.work("watch", { pollingIntervalSeconds: WATCH_EVERY_SECONDS / 4 }, async () => {
      await raiseAlerts(db, clock());
      await watchBlocks(db, clock());
      await evaluateAlerts(db, settings, clock());
      await deleteFullBuckets(db, clock());
    });
  })().catch(failed);

  return async () => {
    clearInterval(timer);
    clearInterval(rollUpTimer);
    stopping.abort(new Error("the process is stopping"));
    await started;
    await rollingUp;
    await boss.stop({ timeout: STOP_WITHIN_MS });
  };
}

/** Fails after all have ended. A retried batch is safe: completed attempts find that they are no longer due. */
async function all(deliveries: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(deliveries)) if (result.status === "rejected") throw result.reason;
}
