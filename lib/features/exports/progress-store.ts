import "server-only";
import type { Database } from "../../platform/database/transaction";
import { generationSecond } from "../../platform/ids";
import type { ExportDestination } from "./contract";
import { toDestination, toRun, type DestinationRow as Row, type RunRow } from "./rows";

interface Progress {
  id: string;
  oldest_pending_at: Date | null;
  run_id: string | null;
  started_at: Date;
  duration_ms: number;
  generations: number;
  error: string | null;
  rejected: number;
  rejection: string | null;
  skipped_generation_id: string | null;
}

/**
 * Adds to the organization's destinations their last run, their position and the number of generations still to export.
 */
export async function withProgress(
  db: Database,
  organizationId: string,
  rows: readonly Row[],
): Promise<ExportDestination[]> {
  if (rows.length === 0) return [];
  const found = await db.$queryRaw<Progress[]>`
    WITH open AS MATERIALIZED (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS until)
    SELECT d.id::text, pending.created_at AS oldest_pending_at,
      run.id::text AS run_id, run.started_at, run.duration_ms, run.generations, run.error,
      run.rejected, run.rejection, run.skipped_generation_id
    FROM export_destinations d
    CROSS JOIN open
    LEFT JOIN LATERAL (
      SELECT g.created_at FROM generations g
      WHERE g.organization_id = ${organizationId}::uuid AND g.recorded_in < open.until
        AND (g.recorded_in, g.id) > (
          CASE WHEN d.recorded_in > open.until THEN 0 ELSE d.recorded_in END,
          CASE WHEN d.recorded_in > open.until THEN '' ELSE d.generation_id END)
      ORDER BY g.recorded_in, g.id LIMIT 1
    ) pending ON true
    LEFT JOIN LATERAL (
      SELECT r.id, r.started_at, r.duration_ms, r.generations, r.error, r.rejected, r.rejection, r.skipped_generation_id
      FROM export_runs r
      WHERE r.destination_id = d.id AND NOT r.is_test
      ORDER BY r.started_at DESC, r.id DESC LIMIT 1
    ) run ON true
    WHERE d.organization_id = ${organizationId}::uuid AND d.id = ANY(${rows.map(({ id }) => id)}::uuid[])`;
  const byId = new Map(found.map((one) => [one.id, one]));
  return rows.map((row) => {
    const progress = byId.get(row.id);
    return {
      ...toDestination(row),
      exported_until: generationSecond(row.generationId)?.gte.toISOString() ?? null,
      oldest_pending_at: progress?.oldest_pending_at?.toISOString() ?? null,
      last_run: progress?.run_id ? toRun(runOf(row, progress, progress.run_id)) : null,
    };
  });
}

const runOf = ({ id: destinationId }: Row, progress: Progress, id: string): RunRow => ({
  id,
  destinationId,
  isTest: false,
  startedAt: progress.started_at,
  durationMs: progress.duration_ms,
  generations: progress.generations,
  error: progress.error,
  rejected: progress.rejected,
  rejection: progress.rejection,
  skippedGenerationId: progress.skipped_generation_id,
});
