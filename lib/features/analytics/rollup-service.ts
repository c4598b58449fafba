import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { isTimedOut } from "../../platform/database/store-failure";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Progress } from "./tables";
import type { Span } from "./spans";
import { consistently } from "./usage-store";
import { DAY_MS } from "./vocabulary";
import { addBatch, allDifferences, endOfBatch, ROLLUPS } from "./rollup-store";

/** Number of generations added in one transaction. */
const BATCH = 5_000;

/**
 * Adds everything recorded since the last run to the rollups, and returns the number of generations. Any number of
 * processes may run it at any time: one of them locks the organization's position, which advances with the sums. So
 * each generation is added once, even after a crash.
 */
export async function rollUp(db: Database, signal?: AbortSignal, batch = BATCH): Promise<number> {
  await db.$executeRaw`
    INSERT INTO rollup_positions (organization_id)
    SELECT id FROM organizations WHERE NOT EXISTS (SELECT FROM rollup_positions WHERE organization_id = organizations.id)
    ON CONFLICT DO NOTHING`;
  const due = await db.$queryRaw<{ organization_id: string }[]>`
    SELECT organization_id::text FROM rollup_positions position
    WHERE EXISTS (
      SELECT FROM generations g WHERE g.organization_id = position.organization_id
        AND (g.recorded_in, g.id) > (position.recorded_in, position.generation_id)
    ) OR recorded_in >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;
  const portion = portionOf(batch);
  let total = 0;
  for (const { organization_id } of due) {
    for (let isDone = false; !isDone && !signal?.aborted;) {
      const step = await inTime(db, portion, (transaction) => addNext(transaction, organization_id, portion.size));
      total += step.added;
      isDone = step.isDone;
    }
  }
  return total;
}

/** Amount of work in one transaction. */
interface Portion {
  size: number;
  least: number;
}
const HALVINGS = 5;
const portionOf = (size: number): Portion => ({ size, least: size / 2 ** HALVINGS });

/**
 * Runs a transaction. If it times out, runs it with half the portion, because the same portion would time out again.
 */
async function inTime<T>(db: Database, portion: Portion, work: (transaction: Database) => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await inTransaction(db, work);
    } catch (error) {
      const half = Math.ceil(portion.size / 2);
      if (!isTimedOut(error) || half === portion.size || half < portion.least) throw error;
      portion.size = half;
    }
}

async function addNext(
  db: Database,
  organizationId: string,
  batch: number,
): Promise<{ added: number; isDone: boolean }> {
  const locked = await lockPosition(db, organizationId);
  if (!locked) return { added: 0, isDone: true };
  if (locked.is_ahead) {
    await startOver(db, organizationId, batch);
    return { added: 0, isDone: false };
  }
  const last = await lastOfBatch(db, organizationId, locked, batch);
  if (!last) return { added: 0, isDone: true };
  const part = { organizationId, after: locked, last, limit: batch };
  for (const rollup of ROLLUPS) await db.$executeRaw(addBatch(rollup, part));
  await db.$executeRaw`
    UPDATE rollup_positions SET recorded_in = ${last.recorded_in}, generation_id = ${last.generation_id}
    WHERE organization_id = ${organizationId}::uuid`;
  return { added: last.added, isDone: last.added < batch };
}

interface Locked extends Progress {
  /** True in a database that was copied to a server with earlier transactions. */
  is_ahead: boolean;
}

/**
 * Returns the last position of a batch. For many generations of one transaction, as in a copied database, the planner
 * expects few and would sort all of them in each batch.
 */
async function lastOfBatch(
  db: Database,
  organizationId: string,
  after: Progress,
  batch: number,
): Promise<(Progress & { added: number }) | null> {
  await db.$executeRaw`SET LOCAL enable_sort = off`;
  const [last] = await db.$queryRaw<(Progress & { added: number })[]>(endOfBatch(organizationId, after, batch));
  await db.$executeRaw`SET LOCAL enable_sort = on`;
  return last ?? null;
}

/** Locks the position; null while another process has the lock. */
async function lockPosition(db: Database, organizationId: string): Promise<Locked | null> {
  const [locked] = await db.$queryRaw<Locked[]>`
    SELECT recorded_in, generation_id, recorded_in >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS is_ahead
    FROM rollup_positions WHERE organization_id = ${organizationId}::uuid FOR UPDATE SKIP LOCKED`;
  return locked ?? null;
}

/**
 * SQL for the number of a copied generation, below the numbers of a server's transactions. Generations with the same
 * number are sorted whenever some of them are read.
 */
const COPIED = Prisma.sql`(extract(epoch FROM created_at) / 3600)::bigint % 500`;

/**
 * Empties the rollups of a database that was copied to another server, where transaction numbers differ, in batches.
 * The rollups aren't read until the position is reset at the end.
 */
async function startOver(db: Database, organizationId: string, batch: number): Promise<void> {
  const renumbered = await db.$executeRaw`
    UPDATE generations SET recorded_in = ahead.recorded_in
    FROM (
      SELECT created_at, id, ${COPIED} AS recorded_in FROM generations
      WHERE organization_id = ${organizationId}::uuid AND recorded_in >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      LIMIT ${batch}
    ) ahead
    WHERE generations.organization_id = ${organizationId}::uuid AND generations.created_at = ahead.created_at AND generations.id = ahead.id`;
  if (renumbered > 0) return;
  for (const { table } of ROLLUPS) {
    // Another partition may have rows at the same places; they are deleted, too.
    const deleted = await db.$executeRaw`
      DELETE FROM ${Prisma.raw(table)} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${Prisma.raw(table)} WHERE organization_id = ${organizationId}::uuid LIMIT ${10 * batch}
      )) AND organization_id = ${organizationId}::uuid`;
    if (deleted > 0) return;
  }
  await db.$executeRaw`
    UPDATE rollup_positions SET recorded_in = 0, generation_id = '' WHERE organization_id = ${organizationId}::uuid`;
}

/**
 * Deletes the rollups of a workspace's oldest week that is fully past its retention, and returns their number. Every
 * generation has a row in `key_days`, which is deleted last. If that table has no old row, nothing else is read.
 */
export async function purgeRollupWeek(db: Database, now: Date): Promise<number> {
  const [due] = await db.$queryRaw<{ id: string; organization_id: string; until: Date }[]>`
    SELECT id::text, organization_id::text, (date_trunc('week', oldest.at AT TIME ZONE 'UTC') + interval '1 week') AT TIME ZONE 'UTC' AS until FROM (
      SELECT id, organization_id,
        date_trunc('week', (${now}::timestamptz - make_interval(days => metadata_retention_days)) AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS until
      FROM workspaces WHERE metadata_retention_days IS NOT NULL
    ) kept CROSS JOIN LATERAL (
      SELECT at FROM key_days r
      WHERE r.organization_id = kept.organization_id AND r.at < kept.until AND r.workspace_id = kept.id ORDER BY at LIMIT 1
    ) oldest LIMIT 1`;
  if (!due) return 0;
  const { id, organization_id, until } = due;
  const tables = ROLLUPS.map(({ table }) => table).toSorted((a, b) => Number(a === WITNESS) - Number(b === WITNESS));
  return inTransaction(db, async (transaction) => {
    // The lock prevents concurrent additions, which lock the tables in another order.
    await transaction.$queryRaw`SELECT FROM rollup_positions WHERE organization_id = ${organization_id}::uuid FOR UPDATE`;
    let purged = 0;
    for (const table of tables)
      purged += await transaction.$executeRaw`
        DELETE FROM ${Prisma.raw(table)} WHERE organization_id = ${organization_id}::uuid AND workspace_id = ${id}::uuid AND at < ${until}`;
    return purged;
  });
}

const WITNESS = "key_days";

export interface TableComparison {
  table: string;
  /** Number of rollup rows computed from the generations. */
  rows: number;
  /** Number of rows that are missing or differ, and of stored rows that shouldn't exist or differ. */
  missing: number;
  wrong: number;
}

/** Time limit for comparing a day. */
const COMPARE_LIMIT_MS = 10 * 60_000;

/** Recomputes an organization's rollups day by day and compares them. Skips days that retention has begun to delete. */
export async function compareRollups(db: Database, organizationId: string, now: Date): Promise<TableComparison[]> {
  const [ends] = await db.$queryRaw<{ first: Date | null; last: Date; kept_days: number | null }[]>`
    SELECT least((SELECT min(created_at) FROM generations WHERE organization_id = ${organizationId}::uuid),
        (SELECT min(at) FROM key_days WHERE organization_id = ${organizationId}::uuid)) AS first,
      greatest((SELECT max(created_at) FROM generations WHERE organization_id = ${organizationId}::uuid),
        (SELECT max(at) FROM key_days WHERE organization_id = ${organizationId}::uuid)) AS last,
      (SELECT min(metadata_retention_days)::int FROM workspaces WHERE organization_id = ${organizationId}::uuid) AS kept_days`;
  const checks = ROLLUPS.map(({ table }) => ({ table, rows: 0, missing: 0, wrong: 0 }));
  if (!ends?.first) return checks;
  const kept = ends.kept_days === null ? 0 : now.getTime() - (ends.kept_days - 1) * DAY_MS;
  const firstDay = Math.floor(Math.max(ends.first.getTime(), kept) / DAY_MS);
  for (let day = firstDay; day * DAY_MS <= ends.last.getTime(); day += 1) {
    const rows = await compareDay(db, organizationId, {
      from: new Date(day * DAY_MS),
      to: new Date((day + 1) * DAY_MS),
    });
    for (const check of checks) {
      const found = rows.find(({ table }) => table === check.table);
      check.rows += found?.rows ?? 0;
      check.missing += found?.missing ?? 0;
      check.wrong += found?.wrong ?? 0;
    }
  }
  return checks;
}

const compareDay = (db: Database, organizationId: string, day: Span): Promise<TableComparison[]> =>
  consistently(
    db,
    organizationId,
    (transaction, progress) =>
      transaction.$queryRaw<TableComparison[]>(
        allDifferences(organizationId, progress ?? { recorded_in: 0n, generation_id: "" }, day),
      ),
    { limitMs: COMPARE_LIMIT_MS },
  );
