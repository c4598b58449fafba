import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { isTimedOut } from "../../platform/database/store-failure";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { BUCKET_ORIGIN } from "./buckets-policy";
import type { Span } from "./spans-policy";
import { consistently } from "./usage-store";
import { DAY_MS } from "./vocabulary";
import {
  addOfSubject,
  advance,
  differences,
  endOfBatch,
  ROLLUPS,
  weekDifferences,
  type Progress,
} from "./rollup-store";
import { addedSince, markBusy, unfinished, type Subject } from "./subjects-store";
import { moveSums, outdatedOrganizations } from "./tag-sets-store";

/** Generations added in one transaction. */
const BATCH = 5_000;
/** Keys and members whose sums are moved in one transaction. */
const MOVES = 50;

/**
 * Adds what was recorded since the last run to the rollups, and returns the number of generations. Any number of processes may run it at any time:
 * an organization's progress is locked by one of them and moves with the sums, so that each generation is added once, also after a crash.
 */
export async function rollUp(db: Database, signal?: AbortSignal, batch = BATCH): Promise<number> {
  await db.$executeRaw`
    INSERT INTO rollup_progress (organization_id)
    SELECT id FROM organizations WHERE NOT EXISTS (SELECT FROM rollup_progress WHERE organization_id = organizations.id)
    ON CONFLICT DO NOTHING`;
  const due = await db.$queryRaw<{ organization_id: string }[]>`
    SELECT organization_id::text FROM rollup_progress progress
    WHERE EXISTS (
      SELECT FROM generations g WHERE g.organization_id = progress.organization_id
        AND (g.recorded_in, g.id) > (progress.recorded_in, progress.generation_id)
    ) OR recorded_in >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;
  const portion = portionOf(batch);
  let total = 0;
  for (const { organization_id } of due) {
    for (let isDone = false; !isDone && !signal?.aborted;) {
      const step = await inTime(db, portion, (transaction) => addBatch(transaction, organization_id, portion.size));
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

/** Runs a transaction, again with half the portion when it times out: the same amount would time out each time. */
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

async function addBatch(
  db: Database,
  organizationId: string,
  batch: number,
): Promise<{ added: number; isDone: boolean }> {
  const locked = await lockProgress(db, organizationId);
  if (!locked) return { added: 0, isDone: true };
  if (locked.is_ahead) {
    await startOver(db, organizationId, batch);
    return { added: 0, isDone: false };
  }
  const last = await lastOfBatch(db, organizationId, locked, batch);
  if (!last) return { added: 0, isDone: true };
  const [row] = await db.$queryRaw<{ added: number }[]>(advance(organizationId, locked, last, batch));
  const added = row?.added ?? 0;
  return { added, isDone: added < batch };
}

interface Locked extends Progress {
  is_ahead: boolean;
  /** False if sums of busy keys and members lack generations that the others have. */
  has_subjects: boolean;
}

/**
 * The position up to which a batch goes. Generations that one transaction recorded, as a copy of a database does, look like few to the planner: it
 * would sort all of them for each batch.
 */
async function lastOfBatch(
  db: Database,
  organizationId: string,
  after: Progress,
  batch: number,
): Promise<Progress | null> {
  await db.$executeRaw`SET LOCAL enable_sort = off`;
  const [last] = await db.$queryRaw<Progress[]>(endOfBatch(organizationId, after, batch));
  await db.$executeRaw`SET LOCAL enable_sort = on`;
  return last ?? null;
}

/** Null while another process has the lock. */
async function lockProgress(db: Database, organizationId: string): Promise<Locked | null> {
  const [locked] = await db.$queryRaw<Locked[]>`
    SELECT recorded_in, generation_id, subjects_up_to = generation_id AS has_subjects, recorded_in >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS is_ahead
    FROM rollup_progress WHERE organization_id = ${organizationId}::uuid FOR UPDATE SKIP LOCKED`;
  return locked ?? null;
}

/**
 * Moves the sums of keys and members to the set of their current tags, and returns their number. Readers correct what hasn't been moved, so that
 * they are exact at any time. Safe in any number of processes, as each transaction moves some completely.
 */
export async function moveTagSums(db: Database, signal?: AbortSignal, limit = MOVES): Promise<number> {
  const organizations = await db.$queryRaw<{ organization_id: string }[]>(outdatedOrganizations);
  const portion = portionOf(limit);
  let total = 0;
  for (const { organization_id } of organizations) {
    for (let moved = portion.size; moved === portion.size && !signal?.aborted; total += moved)
      moved = await inTime(db, portion, (transaction) => moveSome(transaction, organization_id, portion.size));
  }
  return total;
}

/** Generations from which a key or member gets sums of its own: counting as many takes a tenth of a second. */
const BUSY_FROM = 10_000;

/**
 * Finds keys and members that have become busy and adds up their generations, a week or less in each transaction; returns the number of transactions. From then on
 * the job that keeps the other sums adds to theirs. Any number of processes may run it at any time, and it may end anywhere.
 */
export async function addBusySubjects(
  db: Database,
  now: Date,
  signal?: AbortSignal,
  least = BUSY_FROM,
): Promise<number> {
  const organizations = await db.$queryRaw<{ organization_id: string }[]>`
    SELECT organization_id::text FROM rollup_progress`;
  const days = portionOf(7);
  let total = 0;
  for (const { organization_id } of organizations) {
    await inTransaction(db, async (transaction) => {
      const locked = await lockProgress(transaction, organization_id);
      if (!locked || locked.is_ahead) return;
      if (!locked.has_subjects) await forgetSubjects(transaction, organization_id);
      await transaction.$executeRaw(markBusy(organization_id, least, now));
    });
    const addNext = () => inTime(db, days, (transaction) => addDays(transaction, organization_id, days.size));
    while (!signal?.aborted && (await addNext())) total += 1;
  }
  return total;
}

/** Adds the last days of a busy key or member that haven't been added. */
async function addDays(db: Database, organizationId: string, days: number): Promise<boolean> {
  const locked = await lockProgress(db, organizationId);
  if (!locked || locked.is_ahead || !locked.has_subjects) return false;
  const [subject] = await db.$queryRaw<(Subject & { since: Date })[]>(unfinished(organizationId));
  if (!subject) return false;
  const span = { from: new Date(subject.since.getTime() - days * DAY_MS), to: subject.since };
  await db.$queryRaw(addOfSubject(organizationId, locked, subject, span));
  await db.$executeRaw(addedSince(organizationId, subject, span.from));
  return true;
}

/** A server of an earlier release has added to the other sums: those of keys and members are added up again. */
async function forgetSubjects(db: Database, organizationId: string): Promise<void> {
  for (const table of ["busy_subjects", "subject_rollups", "subject_latency_rollups"])
    await db.$executeRaw`DELETE FROM ${Prisma.raw(table)} WHERE organization_id = ${organizationId}::uuid`;
  await db.$executeRaw`
    UPDATE rollup_progress SET subjects_up_to = generation_id WHERE organization_id = ${organizationId}::uuid`;
}

async function moveSome(db: Database, organizationId: string, limit: number): Promise<number> {
  const locked = await lockProgress(db, organizationId);
  if (!locked || locked.is_ahead) return 0;
  const [row] = await db.$queryRaw<{ moved: number }[]>(moveSums(organizationId, limit));
  await db.$executeRaw`DELETE FROM tag_rollups WHERE organization_id = ${organizationId}::uuid AND requests = 0`;
  return row?.moved ?? 0;
}

/**
 * SQL for the number of a copied generation, below those of all transactions of a server. Those with the same number are sorted whenever some of
 * them are read.
 */
const COPIED = Prisma.sql`(extract(epoch FROM created_at) / 3600)::bigint % 500`;

/**
 * Empties the rollups of a database that was copied to another server, whose transactions are numbered anew, a batch at a time. Nobody reads them
 * until the progress is set back at the end.
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
    // Another partition may have rows at the same places, which go too.
    const deleted = await db.$executeRaw`
      DELETE FROM ${Prisma.raw(table)} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${Prisma.raw(table)} WHERE organization_id = ${organizationId}::uuid LIMIT ${10 * batch}
      )) AND organization_id = ${organizationId}::uuid`;
    if (deleted > 0) return;
  }
  await db.$executeRaw`
    UPDATE rollup_progress SET recorded_in = 0, generation_id = '', subjects_up_to = '' WHERE organization_id = ${organizationId}::uuid`;
}

/**
 * Deletes the sums of a workspace's oldest week that is past its retention as a whole, and returns their number: those of days and hours too, so that all
 * add up to the same. Every generation has a row by key and day, found by index and deleted last: without an old one, nothing else is read.
 */
export async function purgeRollupWeek(db: Database, now: Date): Promise<number> {
  const [due] = await db.$queryRaw<{ id: string; organization_id: string; until: Date }[]>`
    SELECT id::text, organization_id::text, (date_trunc('week', oldest.at AT TIME ZONE 'UTC') + interval '1 week') AT TIME ZONE 'UTC' AS until FROM (
      SELECT id, organization_id,
        date_trunc('week', (${now}::timestamptz - make_interval(days => metadata_retention_days)) AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS until
      FROM workspaces WHERE metadata_retention_days IS NOT NULL
    ) kept CROSS JOIN LATERAL (
      SELECT at FROM key_rollups r
      WHERE r.organization_id = kept.organization_id AND r.grain = 'day' AND r.at < kept.until AND r.workspace_id = kept.id ORDER BY at LIMIT 1
    ) oldest LIMIT 1`;
  if (!due) return 0;
  const { id, organization_id, until } = due;
  const tables = ROLLUPS.map(({ table }) => table).toSorted((a, b) => Number(a === WITNESS) - Number(b === WITNESS));
  return inTransaction(db, async (transaction) => {
    // No sums are moved while those they are computed from are deleted.
    await transaction.$queryRaw`SELECT FROM rollup_progress WHERE organization_id = ${organization_id}::uuid FOR UPDATE`;
    let purged = 0;
    for (const table of tables)
      purged += await transaction.$executeRaw`
        DELETE FROM ${Prisma.raw(table)} WHERE organization_id = ${organization_id}::uuid AND workspace_id = ${id}::uuid AND at < ${until}`;
    return purged;
  });
}

const WITNESS = "key_rollups";

export interface TableCheck {
  table: string;
  /** Rows that the generations add up to. */
  rows: number;
  /** Rows that are missing or have other sums, and stored rows that shouldn't be there or have other sums. */
  missing: number;
  wrong: number;
}

/** Adds up the generations of an organization again, day by day, and compares. Leaves days that retention has begun to delete. */
export async function checkRollups(db: Database, organizationId: string, now: Date): Promise<TableCheck[]> {
  const [ends] = await db.$queryRaw<{ first: Date | null; last: Date; kept_days: number | null }[]>`
    SELECT least((SELECT min(created_at) FROM generations WHERE organization_id = ${organizationId}::uuid),
        (SELECT min(at) FROM key_rollups WHERE organization_id = ${organizationId}::uuid)) AS first,
      greatest((SELECT max(created_at) FROM generations WHERE organization_id = ${organizationId}::uuid),
        (SELECT max(at) FROM key_rollups WHERE organization_id = ${organizationId}::uuid)) AS last,
      (SELECT min(metadata_retention_days)::int FROM workspaces WHERE organization_id = ${organizationId}::uuid) AS kept_days`;
  const checks = ROLLUPS.map(({ table }) => ({ table, rows: 0, missing: 0, wrong: 0 }));
  if (!ends?.first) return checks;
  const kept = ends.kept_days === null ? 0 : now.getTime() - (ends.kept_days - 1) * DAY_MS;
  const firstDay = Math.floor(Math.max(ends.first.getTime(), kept) / DAY_MS);
  const add = (rows: readonly TableCheck[]) => {
    for (const check of checks) {
      const found = rows.find(({ table }) => table === check.table);
      check.rows += found?.rows ?? 0;
      check.missing += found?.missing ?? 0;
      check.wrong += found?.wrong ?? 0;
    }
  };
  for (let day = firstDay; day * DAY_MS <= ends.last.getTime(); day += 1) {
    add(await checkDay(db, organizationId, { from: new Date(day * DAY_MS), to: new Date((day + 1) * DAY_MS) }));
  }
  const firstWeek = Math.floor((ends.first.getTime() - BUCKET_ORIGIN.getTime()) / (7 * DAY_MS));
  for (let week = firstWeek; weekSpan(week).from <= ends.last; week += 1)
    add(await db.$queryRaw<TableCheck[]>(weekDifferences(organizationId, weekSpan(week))));
  return checks;
}

const weekSpan = (week: number): Span => ({
  from: new Date(BUCKET_ORIGIN.getTime() + week * 7 * DAY_MS),
  to: new Date(BUCKET_ORIGIN.getTime() + (week + 1) * 7 * DAY_MS),
});

const checkDay = (db: Database, organizationId: string, day: Span): Promise<TableCheck[]> =>
  consistently(db, organizationId, (transaction, progress) =>
    transaction.$queryRaw<TableCheck[]>(
      differences(organizationId, progress ?? { recorded_in: 0n, generation_id: "" }, day),
    ),
  );
