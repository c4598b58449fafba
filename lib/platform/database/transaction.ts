import "server-only";
import type { PrismaClient } from "../../../prisma/generated/client";

/** The database as services see it: the client itself, or the transaction that a caller opened. */
export type Database = Omit<PrismaClient, "$connect" | "$disconnect" | "$on" | "$use" | "$extends" | "$transaction"> & {
  $transaction?: PrismaClient["$transaction"];
};

/** Transactions that are open: Prisma's own handle would open a nested one, which the embedded database can't. */
const open = new WeakSet<object>();

/**
 * Runs `work` in one transaction: in the caller's when there is one, else in a new one.
 * Inside, only the `transaction` argument may be used: the embedded database has a single connection.
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

/** What `work` would answer: everything that it writes is undone, in a transaction of the caller too. */
export const dryRun = <T>(db: Database, work: (transaction: Database) => Promise<T>): Promise<T> =>
  inTransaction(db, async (transaction) => {
    await transaction.$executeRaw`SAVEPOINT rehearsal`;
    const answer = await work(transaction);
    await transaction.$executeRaw`ROLLBACK TO SAVEPOINT rehearsal`;
    return answer;
  });
