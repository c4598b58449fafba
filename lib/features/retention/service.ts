import "server-only";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Prisma } from "../../../prisma/generated/client";
import type { OpenDatabase } from "../../platform/database/open";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { runSteps } from "../../platform/jobs/steps";
import { FAILURES_KEPT_MS } from "../../records/session/throttle";
import { deleteGenerations } from "../../records/generations/deletion-store";
import { purgeLimitBudgets } from "../../records/limits/purge-store";
import { purgeRollupWeek } from "../analytics/rollup-service";
import { REPLAY_WINDOW_MS } from "../../platform/http/idempotency-store";
import { keepLog } from "./partitions-service";

const { sql } = Prisma;

const BATCH = 1000;
/**
 * Pauses between batches, as multiples of their duration. While requests are served, deleting takes at most an eighth
 * of a processor.
 */
const PAUSES = { quiet: 0.5, busy: 7 };
/** Share of time above which the event loop counts as busy with requests. Deleting alone takes less than half of it. */
const BUSY = 0.2;
const DAY_MS = 24 * 60 * 60_000;
/** Longer than any window and any request started in it. */
const BUDGETS_KEPT_MS = 400 * DAY_MS;
/** Time during which a bulk assignment change can be undone. */
const ASSIGNMENT_CHANGES_KEPT_MS = 30 * DAY_MS;
const NOTIFICATIONS_KEPT_MS = 30 * DAY_MS;
/** Time during which requests can refer to an item of a response. */
const RESPONSE_ITEMS_KEPT_MS = 30 * DAY_MS;
const DELIVERIES_KEPT_MS = 30 * DAY_MS;

/** Number of rows deleted by each step. */
export interface Purged {
  contents: number;
  generations: number;
  rollups: number;
  idempotencyRecords: number;
  sessions: number;
  usedChallenges: number;
  signInTests: number;
  samlAnswers: number;
  signInFailures: number;
  budgets: number;
  limitBudgets: number;
  assignmentChanges: number;
  catalogueSnapshots: number;
  webhookDeliveries: number;
  alertFirings: number;
  notifications: number;
  responseItems: number;
  policyChanges: number;
  /** Generations of deleted workspaces. */
  workspaces: number;
}

interface Pace {
  /** Ends the purge after a batch. */
  signal?: AbortSignal;
  load?: Load;
}

/** Maintains the partitions of the log, and deletes expired data from all tables. */
export async function purge(
  { client, query }: Pick<OpenDatabase, "client" | "query">,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const partitions = () => keepLog(query, now, signal);
  await runSteps("purge", { partitions, ...stepsOf(client, now, signal ? { signal } : {}).steps }, signal);
}

/**
 * Deletes expired data: content and metadata past their workspace's retention, idempotency records, ended sessions,
 * budgets of old windows and of limits that nothing needs any more, bulk changes too old to undo, unreferenced catalogue snapshots, webhook deliveries,
 * notifications, places of items, alert firings, policy change notes and deleted workspaces. Works in batches to avoid
 * long locks; idempotent.
 */
export async function purgeExpired(db: Database, now: Date, pace: Pace = {}): Promise<Purged> {
  const { steps, purged } = stepsOf(db, now, pace);
  await runSteps("purge", steps, pace.signal);
  return purged;
}

/** Deletes a batch, and returns the number of deleted rows and whether another batch may follow. */
type Batch = () => Promise<{ deleted: number; isLast: boolean }>;

function stepsOf(db: Database, now: Date, { signal, load = eventLoopLoad() }: Pace) {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const rows = (table: string, where: Prisma.Sql): Batch => limited(() => deleteRows(db, table, where));
  const batches: Readonly<Record<keyof Purged, Batch>> = {
    contents: contentsInOrder(db, now),
    generations: limited(() => purgeGenerations(db, now)),
    rollups: async () => {
      const deleted = await purgeRollupWeek(db, now);
      return { deleted, isLast: deleted === 0 };
    },
    idempotencyRecords: rows("idempotency_records", sql`created_at < ${before(REPLAY_WINDOW_MS)}`),
    sessions: rows("sessions", sql`expires_at < ${now}`),
    usedChallenges: rows("used_challenges", sql`expires_at < ${now}`),
    samlAnswers: rows("saml_answers", sql`expires_at < ${now}`),
    signInTests: rows("sign_in_tests", sql`created_at < ${before(DAY_MS)}`),
    signInFailures: rows("sign_in_failures", sql`last_at < ${before(FAILURES_KEPT_MS)}`),
    budgets: rows("budgets", sql`"window" <> 'lifetime' AND window_start < ${before(BUDGETS_KEPT_MS)}`),
    assignmentChanges: rows("guardrail_assignment_changes", sql`created_at < ${before(ASSIGNMENT_CHANGES_KEPT_MS)}`),
    catalogueSnapshots: limited(() => purgeSnapshots(db, now)),
    webhookDeliveries: rows("webhook_deliveries", sql`created_at < ${before(DELIVERIES_KEPT_MS)}`),
    alertFirings: rows("alert_firings", sql`resolved_at IS NOT NULL AND started_at < ${before(NOTIFICATIONS_KEPT_MS)}`),
    notifications: rows("notifications", sql`created_at < ${before(NOTIFICATIONS_KEPT_MS)}`),
    responseItems: rows("response_items", sql`created_at < ${before(RESPONSE_ITEMS_KEPT_MS)}`),
    // Compared with the database's clock, which wrote the times.
    policyChanges: rows("policy_changes", sql`changed_at < now() - interval '1 hour'`),
    workspaces: () => purgeWorkspace(db),
    limitBudgets: limited(() => purgeLimitBudgets(db, now, BATCH)),
  };
  const names = Object.keys(batches) as (keyof Purged)[];
  const purged = Object.fromEntries(names.map((name) => [name, 0])) as Record<keyof Purged, number>;
  const steps = Object.fromEntries(
    names.map((name) => [
      name,
      async () => {
        purged[name] = await inBatches(batches[name], load, signal);
      },
    ]),
  );
  return { steps, purged };
}

const limited =
  (purgeSome: () => PromiseLike<number>): Batch =>
  async () => {
    const deleted = await purgeSome();
    return { deleted, isLast: deleted < BATCH };
  };

/** Repeats the condition for rows that another transaction changes in the meantime. */
const deleteRows = (db: Database, table: string, where: Prisma.Sql) => db.$executeRaw`
  DELETE FROM ${Prisma.raw(table)} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${Prisma.raw(table)} WHERE ${where} LIMIT ${BATCH})) AND ${where}`;

/** Runs batches until the last one, and pauses after each to leave the database to requests. */
async function inBatches(batch: Batch, load: Load, signal: AbortSignal | undefined): Promise<number> {
  for (let total = 0; ;) {
    signal?.throwIfAborted();
    const startedAt = performance.now();
    const { deleted, isLast } = await batch();
    total += deleted;
    if (isLast) return total;
    const pause = (performance.now() - startedAt) * (load() > BUSY ? PAUSES.busy : PAUSES.quiet);
    await sleep(pause, undefined, signal ? { signal } : {});
  }
}

/** Returns the share of time, from 0 to 1, for which the process was busy since the last call. */
type Load = () => number;

function eventLoopLoad(): Load {
  let last = performance.eventLoopUtilization();
  return () => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, last);
    last = current;
    return utilization;
  };
}

/**
 * Deletes expired contents of a batch. Reads the contents older than the shortest retention, oldest first, so that a
 * run without any reads none. Generations aren't updated, which would rewrite them with all their index entries: a
 * generation that stored content and has none has had it deleted.
 */
function contentsInOrder(db: Database, now: Date): Batch {
  let after = new Date(0);
  let end: Date | null = null;
  return async () => {
    end ??= await endOfContents(db, now);
    if (!end) return { deleted: 0, isLast: true };
    const last = await endOfBatch(db, after, end);
    const deleted = await deleteContents(db, now, after, last ?? end);
    after = last ?? end;
    return { deleted, isLast: after >= end };
  };
}

/** Returns the time before which some workspace retains no contents; null if all retain theirs. */
async function endOfContents(db: Database, now: Date): Promise<Date | null> {
  const { _min } = await db.workspace.aggregate({ _min: { contentRetentionDays: true } });
  return _min.contentRetentionDays === null ? null : new Date(now.getTime() - _min.contentRetentionDays * DAY_MS);
}

/** Returns the time of the last content in a batch; null if there are fewer up to `end`. */
async function endOfBatch(db: Database, after: Date, end: Date): Promise<Date | null> {
  const [last] = await db.$queryRaw<{ created_at: Date }[]>`
    SELECT created_at FROM generation_contents
    WHERE created_at > ${after}::timestamptz AND created_at <= ${end}::timestamptz
    ORDER BY created_at LIMIT 1 OFFSET ${BATCH - 1}`;
  return last?.created_at ?? null;
}

/** Compares with known times, so that the planner reads only their partitions. */
const deleteContents = (db: Database, now: Date, after: Date, until: Date): Promise<number> => db.$executeRaw`
  DELETE FROM generation_contents contents USING workspaces CROSS JOIN LATERAL (
    SELECT created_at, id FROM generations
    WHERE workspace_id = workspaces.id AND created_at > ${after}::timestamptz AND created_at <= ${until}::timestamptz
      AND created_at < ${now}::timestamptz - make_interval(days => workspaces.content_retention_days) OFFSET 0
  ) AS expired
  WHERE workspaces.content_retention_days IS NOT NULL
    AND contents.created_at > ${after}::timestamptz AND contents.created_at <= ${until}::timestamptz
    AND contents.created_at = expired.created_at AND contents.generation_id = expired.id`;

const purgeGenerations = (db: Database, now: Date) =>
  deleteGenerations(
    db,
    Prisma.sql`
    SELECT expired.* FROM workspaces CROSS JOIN LATERAL (
      SELECT organization_id, created_at, id FROM generations
      WHERE workspace_id = workspaces.id AND created_at < ${now}::timestamptz - make_interval(days => workspaces.metadata_retention_days)
      ORDER BY created_at, id LIMIT ${BATCH}
    ) AS expired LIMIT ${BATCH}`,
  );

/**
 * Deletes a batch of the generations of a deleted workspace, or its row after the last one. Only the last few
 * generations are deleted under the row's lock, for which records wait. Objects created while the workspace was being
 * deleted are deleted with the row.
 */
async function purgeWorkspace(db: Database): ReturnType<Batch> {
  const workspace = await db.workspace.findFirst({
    where: { deletedAt: { not: null } },
    select: { id: true },
    orderBy: { deletedAt: "asc" },
  });
  if (!workspace) return { deleted: 0, isLast: true };
  const { id } = workspace;
  const deleted = await deleteHistory(db, id);
  if (deleted === BATCH) return { deleted, isLast: false };
  return inTransaction(db, async (transaction) => {
    await transaction.$queryRaw`SELECT FROM workspaces WHERE id = ${id}::uuid FOR UPDATE`;
    const late = await deleteHistory(transaction, id);
    if (late < BATCH) await transaction.workspace.deleteMany({ where: { id } });
    return { deleted: deleted + late, isLast: false };
  });
}

const deleteHistory = (db: Database, workspaceId: string) =>
  deleteGenerations(
    db,
    sql`
    SELECT organization_id, created_at, id FROM generations WHERE workspace_id = ${workspaceId}::uuid
    ORDER BY created_at, id LIMIT ${BATCH}`,
  );

/**
 * Deletes snapshots last seen before the oldest generation. A day of tolerance covers clock differences and the hourly
 * `seen_at`.
 */
const purgeSnapshots = (db: Database, now: Date) => db.$executeRaw`
  DELETE FROM catalogue_snapshots WHERE ctid = ANY(ARRAY(
    SELECT snapshots.ctid FROM organizations
    CROSS JOIN LATERAL (SELECT min(created_at) AS oldest FROM generations WHERE organization_id = organizations.id) AS log
    JOIN catalogue_snapshots AS snapshots ON snapshots.organization_id = organizations.id
      AND snapshots.seen_at < least(log.oldest, ${now}::timestamptz) - interval '1 day'
    LIMIT ${BATCH}
  )) AND seen_at < ${now}::timestamptz - interval '1 day'`;
