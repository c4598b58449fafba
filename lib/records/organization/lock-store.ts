import "server-only";
import type { Database } from "../../platform/database/transaction";

/**
 * Locks an organization, so that changes of what is counted or compared within it happen one after another. Lock it before its members,
 * groups and keys: transactions that lock in the same order can't deadlock.
 */
export async function lockOrganization(db: Database, id: string): Promise<void> {
  await db.$queryRaw`SELECT 1 AS locked FROM organizations WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
}
