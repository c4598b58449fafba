import "server-only";
import type { Query } from "../../platform/database/migrations";
import {
  dropEmptyPartitions,
  emptyPartition,
  keepPartitions,
  partitionsOf,
  type Partition,
} from "../../platform/database/partitions";

/**
 * Keeps the partitions of the log: makes those of the next month, and empties those that no workspace needs, as a whole. What
 * other partitions have past retention is deleted row by row.
 */
export async function keepLog(query: Query, now: Date): Promise<void> {
  await keepPartitions(query, now);
  for (const partition of await partitionsOf(query)) {
    const { suffix, end, filled } = partition;
    if (!end || end > now) continue;
    const records = needed("metadata_retention_days", partition, now);
    const contents = `${records} AND ${needed("content_retention_days", partition, now, "AND content_stored")}`;
    for (const table of filled) {
      const isNeeded = table === "generation_contents" ? contents : records;
      const { rows } = await query(`SELECT ${isNeeded} AS needed`);
      if (!rows[0]?.["needed"]) await emptyPartition(query, `${table}_${suffix}`, isNeeded);
    }
  }
  await dropEmptyPartitions(query, now);
}

/** SQL that is true if a workspace has generations in a partition that are within its retention. */
const needed = (retention: string, { start, end }: Partition, now: Date, besides = ""): string => `
  EXISTS (
    SELECT FROM workspaces WHERE EXISTS (
      SELECT FROM generations WHERE workspace_id = workspaces.id AND created_at < '${end?.toISOString() ?? "infinity"}'
        AND created_at >= greatest('${start?.toISOString() ?? "-infinity"}', '${now.toISOString()}'::timestamptz - make_interval(days => workspaces.${retention})) ${besides}
    )
  )`;
