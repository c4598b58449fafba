import "server-only";
import PgBoss from "pg-boss";
import type { Database } from "../database/transaction";

/** How pg-boss finds its tables: they come with our migrations, and repetition by the clock is ours. */
export const QUEUE_OPTIONS = { schema: "signalbox_jobs", migrate: false, schedule: false } as const;

/** What waits in the queue; queues are made by a migration. */
export type Job =
  | { name: "webhook-delivery"; data: { delivery_id: string; due_at: string } }
  | { name: "watch"; data: Record<never, never> };

type Placed = Job & {
  /** Not before; at once without. */
  startAfter?: Date;
  /** At most one of the queue in each slot of so many seconds, whoever asks. */
  singletonSeconds?: number;
};

/** Only says how jobs are written: never started, it holds no connection and no timer. */
const writer = new PgBoss({
  ...QUEUE_OPTIONS,
  db: { executeSql: () => Promise.reject(new Error("jobs are written in the caller's transaction")) },
});

/** Puts jobs into the queue in the caller's transaction: they exist when it commits, and never when it doesn't. */
export async function enqueue(db: Database, jobs: readonly Placed[]): Promise<void> {
  if (jobs.length === 0) return;
  const executeSql = async (text: string, values: unknown[]) => ({
    rows: await db.$queryRawUnsafe<unknown[]>(text, ...values),
  });
  await writer.insert([...jobs], { db: { executeSql } });
}
