import "server-only";
import PgBoss from "pg-boss";
import type { Database } from "../database/transaction";

/** pg-boss configuration: its tables come with our migrations, and repeated jobs are scheduled by Signalbox. */
export const QUEUE_OPTIONS = { schema: "signalbox_jobs", migrate: false, schedule: false } as const;

/** A queued job; queues are created by a migration. */
interface Job {
  name: "watch" | "content-sweep" | "purge";
  data: Record<never, never>;
}

type RunSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;

/** pg-boss's statements that complete jobs or return them to the queue. */
const ENDS_JOBS = /\bstate = 'completed'|\bretried_jobs AS/;

/**
 * Runs pg-boss's SQL. It doesn't wait for the statements that end jobs: a rejection would end the process. A job whose end isn't stored is repeated
 * when it has expired, like one of a process that was killed.
 */
export const runJobSql =
  (runSql: RunSql, failed: (error: unknown) => void): RunSql =>
  async (text, values) => {
    try {
      return await runSql(text, values);
    } catch (error) {
      if (!ENDS_JOBS.test(text)) throw error;
      failed(error);
      return { rows: [{ count: "0" }] };
    }
  };

interface Placed extends Job {
  /** Earliest start; immediately when omitted. */
  startAfter?: Date;
  /** Allows at most one job per queue and time slot of this length. */
  singletonSeconds?: number;
}

/** Only builds job rows: never started, so it has no connection or timer. */
const writer = new PgBoss({
  ...QUEUE_OPTIONS,
  db: { executeSql: () => Promise.reject(new Error("jobs must be written in the caller's transaction")) },
});

/** Enqueues jobs in the caller's transaction, so that they exist only if it commits. */
export async function enqueue(db: Database, jobs: readonly Placed[]): Promise<void> {
  if (jobs.length === 0) return;
  const executeSql = async (text: string, values: unknown[]) => ({
    rows: await db.$queryRawUnsafe<unknown[]>(text, ...values),
  });
  await writer.insert([...jobs], { db: { executeSql } });
}
