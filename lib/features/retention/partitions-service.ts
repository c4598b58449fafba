import "server-only";
import type { Query } from "../../platform/database/migrations";
import { dropEmptyPartitions, emptyPartition, keepPartitions, partitionsOf } from "../../platform/database/partitions";

/**
 * Maintains the partitions of the log: creates those of the next month, and empties those that no workspace needs as a
 * whole. Expired rows of other partitions are deleted individually.
 */
export async function keepLog(query: Query, now: Date, signal?: AbortSignal): Promise<void> {
  await keepPartitions(query, now);
  for (const { suffix, end, filled } of await partitionsOf(query)) {
    signal?.throwIfAborted();
    if (!end || end > now || filled.length === 0) continue;
    const records = needed(suffix, "metadata_retention_days", now);
    const contents = `${records} AND ${needed(suffix, "content_retention_days", now, "AND content_stored")}`;
    const { rows } = await query(`SELECT ${records} AS records, ${contents} AS contents`);
    for (const table of filled) {
      const [isNeeded, unless] =
        table === "generation_contents" ? [rows[0]?.["contents"], contents] : [rows[0]?.["records"], records];
      if (isNeeded === false) await emptyPartition(query, `${table}_${suffix}`, unless);
    }
  }
  await dropEmptyPartitions(query, now);
}

/**
 * SQL that is true if a workspace has generations in a partition within its retention. Reads the newest generation of
 * each workspace.
 */
const needed = (suffix: string, retention: string, now: Date, besides = ""): string => `
  EXISTS (
    SELECT FROM workspaces WHERE deleted_at IS NULL AND (
      SELECT created_at FROM generations_${suffix} WHERE workspace_id = workspaces.id
        AND created_at >= coalesce('${now.toISOString()}'::timestamptz - make_interval(days => workspaces.${retention}), '-infinity') ${besides}
      ORDER BY created_at DESC LIMIT 1
    ) IS NOT NULL
  )`;
