import "server-only";
import type { PrismaClient } from "../../../prisma/generated/client";

/** The database as services use it: the client, or the caller's transaction. */
export type Database = Omit<PrismaClient, "$connect" | "$disconnect" | "$on" | "$use" | "$extends" | "$transaction"> & {
  $transaction?: PrismaClient["$transaction"];
};

/** Open transactions, in which Prisma's own handle would start a nested one. */
const open = new WeakSet<object>();

/**
 * Runs `work` in a transaction: the caller's, or a new one. Use only the `transaction` argument inside: another connection doesn't see
 * its writes, and may wait for its locks.
 */
export function inTransaction<T>(db: Database, work: (transaction: Database) => Promise<T>): Promise<T> {
  if (!db.$transaction || open.has(db)) return work(db);
  return db.$transaction(
    (transaction) => {
      open.add(transaction);
      return work(transaction);
    },
    { maxWait: 30_000, timeout: 30_000 },
  );
}

/** Returns the result of `work` and rolls back its writes, also inside the caller's transaction. */
export const dryRun = <T>(db: Database, work: (transaction: Database) => Promise<T>): Promise<T> =>
  inTransaction(db, async (transaction) => {
    await transaction.$executeRaw`SAVEPOINT rehearsal`;
    const answer = await work(transaction);
    await transaction.$executeRaw`ROLLBACK TO SAVEPOINT rehearsal`;
    return answer;
  });
