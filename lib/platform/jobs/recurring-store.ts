import "server-only";
import type { Database } from "../database/transaction";

/** Jobs that one process at a time runs at an interval. A migration creates the row of each. */
export type RecurringJob = "watch" | "purge" | "content-sweep";

interface Turn {
  name: RecurringJob;
  everyMs: number;
  /** Time after which another process takes over from a killed one; longer than any job. */
  limitMs: number;
}

/** Makes a job due at once, in the caller's transaction; a process runs it within seconds. */
export async function makeDue(db: Database, name: RecurringJob): Promise<void> {
  await db.$executeRaw`UPDATE recurring_jobs SET due_at = least(due_at, now()) WHERE name = ${name}`;
}

/**
 * Runs a job if it is due and no other process runs it. It is due again after the interval, even if it fails. Times are from the
 * database's clock, so that the clocks of processes may differ.
 */
export async function runIfDue(
  db: Database,
  { name, everyMs, limitMs }: Turn,
  run: () => Promise<unknown>,
): Promise<void> {
  const [lease] = await db.$queryRaw<{ until: Date }[]>`
    UPDATE recurring_jobs
    SET due_at = now() + ${everyMs} * interval '1 millisecond', leased_until = now() + ${limitMs} * interval '1 millisecond'
    WHERE name = ${name} AND due_at <= now() AND (leased_until IS NULL OR leased_until <= now())
    RETURNING leased_until AS until`;
  if (!lease) return;
  try {
    await run();
  } finally {
    await db.$executeRaw`
      UPDATE recurring_jobs SET leased_until = NULL WHERE name = ${name} AND leased_until = ${lease.until}::timestamptz`;
  }
}
