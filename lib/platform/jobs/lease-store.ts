import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../database/transaction";

/** Tables of attempts with the columns `status` and `next_attempt_at`. */
type Attempts = "webhook_deliveries" | "notifications";

/** Time after which another process takes over from a killed one; longer than any attempt. */
const LEASE_MS = 30_000;

/** Moves a due attempt to another time; returns false if it is no longer due at the first time. */
async function move(db: Database, table: Attempts, id: string, from: Date, to: Date): Promise<boolean> {
  const count = await db.$executeRaw`
    UPDATE ${Prisma.raw(table)} SET next_attempt_at = ${to}::timestamptz
    WHERE id = ${id}::uuid AND status = 'pending' AND next_attempt_at = ${from}::timestamptz`;
  return count > 0;
}

/**
 * Makes an attempt under a lease: until the lease ends, the attempt isn't due for other processes. Returns false if another process
 * has the lease. The attempt is due again immediately if this process stops, and when the lease ends after another failure.
 */
export async function whileLeased(
  { db, clock, signal }: { db: Database; clock: () => Date; signal: AbortSignal },
  table: Attempts,
  { id, dueAt }: { id: string; dueAt: Date },
  attempt: (due_at: string) => Promise<void>,
): Promise<boolean> {
  const until = new Date(clock().getTime() + LEASE_MS);
  if (!(await move(db, table, id, dueAt, until))) return false;
  try {
    await attempt(until.toISOString());
    return true;
  } catch (error) {
    if (signal.aborted) await move(db, table, id, until, dueAt).catch(() => undefined);
    throw error;
  }
}
