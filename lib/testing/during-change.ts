import { expect } from "vitest";
import { inTransaction, type Database } from "../platform/database/transaction";
import { lockOrganization } from "../records/organization/lock-store";
import type { World } from "./test-context";

/** Starts work, lets it wait for a lock of its organization, makes a change, and returns what the work then results in. */
export async function duringChange<T>(
  { context: { db }, organizationId }: World,
  work: () => Promise<T>,
  change: (transaction: Database) => Promise<unknown>,
): Promise<T> {
  const started = await inTransaction(db, async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const result = work();
    const waiting = () => db.$queryRaw`SELECT 1 AS one FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR SHARE%'`;
    await expect.poll(waiting, { timeout: 20_000 }).toHaveLength(1);
    await change(transaction);
    // In an object, so that the transaction ends before the work does.
    return { result };
  });
  return started.result;
}
