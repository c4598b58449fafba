import "server-only";
import PgBoss from "pg-boss";
import { raiseAlerts } from "../records/budgets/alerts-service";
import type { OpenDatabase } from "../platform/database/open";
import type { Env } from "../platform/env";
import { logger } from "../platform/logger";
import { watchBlocks } from "../features/spikes/watch-service";
import { deliver } from "../records/webhooks/delivery-service";
import { enqueue, QUEUE_OPTIONS, type Job } from "../platform/jobs/queue";

/** What an idle process costs: one statement every so often, well below a millisecond. */
const LOOK_EVERY_SECONDS = 2;
const DELIVERIES_AT_ONCE = 20;
/** How often what a dead process was at is taken up, and ended jobs are put away. */
const TIDY_EVERY_SECONDS = 30;
const KEPT_SECONDS = 60 * 60;
const WATCH_EVERY_SECONDS = 60;
/** Deliveries that are under way when the process stops are broken off at once, and made again by whoever comes next. */
const STOP_WITHIN_MS = 2_000;

type Data<Name extends Job["name"]> = Extract<Job, { name: Name }>["data"];

/** Runs what waits in the queue, beside the other processes of the same database. Returns what stops it. */
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
    logger().warn({ err }, "the job queue reports an error");
  });
  const failed = (err: unknown) => {
    logger().error({ err }, "a job failed");
  };
  const courier = { db, settings, clock, signal: stopping.signal };
  const askForWatch = () => {
    enqueue(db, [{ name: "watch", data: {}, singletonSeconds: WATCH_EVERY_SECONDS }]).catch(failed);
  };
  const timer = setInterval(askForWatch, WATCH_EVERY_SECONDS * 1000).unref();

  const started = (async () => {
    await boss.start();
    // What a process died over may be long due.
    await boss.maintain();
    await boss.work<Data<"webhook-delivery">>(
      "webhook-delivery",
      { pollingIntervalSeconds: LOOK_EVERY_SECONDS, batchSize: DELIVERIES_AT_ONCE },
      async (jobs) => {
        const results = await Promise.allSettled(jobs.map(({ data }) => deliver(courier, data)));
        // Together again: what was made already finds that it isn't due any more.
        for (const result of results) if (result.status === "rejected") throw result.reason;
      },
    );
    await boss.work("watch", { pollingIntervalSeconds: WATCH_EVERY_SECONDS / 4 }, async () => {
      await raiseAlerts(db, clock());
      await watchBlocks(db, clock());
    });
  })().catch(failed);

  return async () => {
    clearInterval(timer);
    stopping.abort(new Error("the process stops"));
    await started;
    await boss.stop({ timeout: STOP_WITHIN_MS });
  };
}
