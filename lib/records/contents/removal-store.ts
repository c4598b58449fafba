import "server-only";
import { logger } from "../../platform/logger";
import { bucketOf, contentSignal, type ObjectContext } from "./objects-store";

const BATCH = 100;
const AT_ONCE = 16;
/** Time that a process has to remove claimed objects; then another process claims them. */
const LEASE = "5 minutes";

interface Taken {
  storage_key: string;
  is_stored: boolean;
}

/**
 * Removes the objects of deleted contents until none is due. A failed removal is retried after twice the delay. Returns
 * the number of removed objects.
 */
export async function removeObjects(context: ObjectContext, signal: AbortSignal): Promise<number> {
  const { db } = context;
  const bucket = bucketOf(context.settings);
  let removed = 0;
  for (let taken = BATCH; bucket && taken === BATCH && !signal.aborted;) {
    // A content that moved to another table was deleted and inserted; it keeps its object.
    const rows = await db.$queryRaw<Taken[]>`
      WITH due AS (
        SELECT storage_key FROM content_removals WHERE due_at <= now() ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      )
      UPDATE content_removals AS removals SET attempts = attempts + 1,
        due_at = now() + greatest(interval '1 second' * 10 * 2 ^ least(attempts, 8), ${LEASE}::interval)
      FROM due WHERE removals.storage_key = due.storage_key
      RETURNING removals.storage_key, EXISTS (
        SELECT 1 FROM generation_contents AS contents
        WHERE contents.created_at = removals.created_at AND contents.generation_id = removals.generation_id
          AND contents.storage_key = removals.storage_key
      ) AS is_stored`;
    taken = rows.length;
    const done: string[] = [];
    for (let first = 0; first < rows.length; first += AT_ONCE) {
      await Promise.all(
        rows.slice(first, first + AT_ONCE).map(async ({ storage_key, is_stored }) => {
          try {
            if (!is_stored) await bucket.delete(storage_key, contentSignal());
            done.push(storage_key);
          } catch (err) {
            logger().warn({ err }, "the object of deleted content could not be removed; this is retried");
          }
        }),
      );
    }
    removed += await db.$executeRaw`DELETE FROM content_removals WHERE storage_key = ANY(${done}::text[])`;
    if (done.length < taken) break;
  }
  return removed;
}
