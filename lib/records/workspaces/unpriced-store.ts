import "server-only";
import { cached, type Loaded } from "../../platform/database/policy-cache";
import type { Database } from "../../platform/database/transaction";

/** Returns whether a workspace allows models without a known price under spending limits. */
export const allowsUnpriced = async (db: Database, workspaceId: string): Promise<boolean> =>
  (await cached(db, ["unpriced", workspaceId], () => load(db, workspaceId))) ?? false;

async function load(db: Database, workspaceId: string): Promise<Loaded<boolean> | null> {
  const [row] = await db.$queryRaw<Loaded<boolean>[]>`
    SELECT organization_id AS "organizationId", allow_unpriced_models AS value FROM workspaces WHERE id = ${workspaceId}::uuid`;
  return row ?? null;
}
