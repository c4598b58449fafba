import "server-only";
import { inTransaction, type Database } from "./transaction";

/** Runs `work` in a transaction in which each statement has a time limit. */
export const withStatementLimit = <T>(
  db: Database,
  limitMs: number,
  work: (transaction: Database) => Promise<T>,
): Promise<T> =>
  inTransaction(db, async (transaction) => {
    await transaction.$executeRaw`SELECT set_config('statement_timeout', ${String(limitMs)}, true)`;
    return work(transaction);
  });
