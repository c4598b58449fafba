import "server-only";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import { FAILURES_KEPT_MS } from "../../records/session/throttle-policy";
import { deleteGenerations } from "../../records/generations/deletion-store";
import { purgeRollups } from "../analytics/rollup-service";
import { REPLAY_WINDOW_MS } from "../../platform/http/idempotency-store";

const BATCH = 1000;
/** Pauses between batches, as multiples of their duration: deleting takes at most an eighth of a processor while requests are served. */
const PAUSES = { quiet: 0.5, busy: 7 };
/** Above this share of time, the event loop is busy with requests; deleting alone takes less than half of it. */
const BUSY = 0.2;
const DAY_MS = 24 * 60 * 60_000;
/** Longer than any window and any request started in it. */
const BUDGETS_KEPT_MS = 400 * 24 * 60 * 60_000;
/** Time during which a bulk assignment change can be undone. */
const ASSIGNMENT_CHANGES_KEPT_MS = 30 * 24 * 60 * 60_000;
const NOTIFICATIONS_KEPT_MS = 30 * 24 * 60 * 60_000;
const DELIVERIES_KEPT_MS = 30 * 24 * 60 * 60_000;

export interface Purged {
  contents: number;
  generations: number;
  rollups: number;
  idempotencyRecords: number;
  sessions: number;
  signInFailures: number;
  usedChallenges: number;
  budgets: number;
  assignmentChanges: number;
  catalogueSnapshots: number;
  webhookDeliveries: number;
  alertFirings: number;
  notifications: number;
  policyChanges: number;
}

/**
 * Deletes expired data: content and metadata past their workspace's retention, idempotency records, ended sessions,
 * budgets of old windows, bulk changes too old to undo, unreferenced catalogue snapshots, webhook deliveries, notifications,
 * firings of alerts, and notes of policy changes. Works in batches to avoid long locks; idempotent.
 */
export async function purgeExpired(db: Database, now: Date, load: Load = eventLoopLoad()): Promise<Purged> {
  const replayEnd = new Date(now.getTime() - REPLAY_WINDOW_MS);
  return {
    contents: await purgeContents(db, now, load),
    generations: await inBatches(() => purgeGenerations(db, now), load),
    rollups: await purgeRollups(db, now),
    idempotencyRecords: (await db.idempotencyRecord.deleteMany({ where: { createdAt: { lt: replayEnd } } })).count,
    sessions: (await db.session.deleteMany({ where: { expiresAt: { lt: now } } })).count,
    usedChallenges: (await db.usedChallenge.deleteMany({ where: { expiresAt: { lt: now } } })).count,
    signInFailures: (
      await db.signInFailure.deleteMany({ where: { lastAt: { lt: new Date(now.getTime() - FAILURES_KEPT_MS) } } })
    ).count,
    budgets: (
      await db.budget.deleteMany({
        where: { window: { not: "lifetime" }, windowStart: { lt: new Date(now.getTime() - BUDGETS_KEPT_MS) } },
      })
    ).count,
    assignmentChanges: (
      await db.assignmentChange.deleteMany({
        where: { createdAt: { lt: new Date(now.getTime() - ASSIGNMENT_CHANGES_KEPT_MS) } },
      })
    ).count,
    catalogueSnapshots: await purgeSnapshots(db, now),
    webhookDeliveries: (
      await db.webhookDelivery.deleteMany({
        where: { createdAt: { lt: new Date(now.getTime() - DELIVERIES_KEPT_MS) } },
      })
    ).count,
    alertFirings: (
      await db.alertFiring.deleteMany({
        where: { resolvedAt: { not: null }, startedAt: { lt: new Date(now.getTime() - NOTIFICATIONS_KEPT_MS) } },
      })
    ).count,
    notifications: (
      await db.notification.deleteMany({
        where: { createdAt: { lt: new Date(now.getTime() - NOTIFICATIONS_KEPT_MS) } },
      })
    ).count,
    // By the clock that wrote them.
    policyChanges: await db.$executeRaw`DELETE FROM policy_changes WHERE changed_at < now() - interval '1 hour'`,
  };
}

async function inBatches(purge: () => Promise<number>, load: Load): Promise<number> {
  let total = 0;
  for (let count = BATCH; count === BATCH; total += count) count = await givingWay(purge, load);
  return total;
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

/** Runs a batch, and then leaves the database to requests. */
async function givingWay<T>(batch: () => PromiseLike<T>, load: Load): Promise<T> {
  const startedAt = performance.now();
  const result = await batch();
  await sleep((performance.now() - startedAt) * (load() > BUSY ? PAUSES.busy : PAUSES.quiet));
  return result;
}

/**
 * Deletes expired content. Goes through the contents older than the shortest retention, from the oldest on, so that a run without any reads none.
 * Their generations aren't changed, which would write them anew with all their index entries: without a content, a stored one has been deleted.
 */
async function purgeContents(db: Database, now: Date, load: Load): Promise<number> {
  const { _min } = await db.workspace.aggregate({ _min: { contentRetentionDays: true } });
  if (_min.contentRetentionDays === null) return 0;
  const end = new Date(now.getTime() - _min.contentRetentionDays * DAY_MS);
  let purged = 0;
  for (let after = new Date(0); after < end;) {
    const from = after;
    await givingWay(async () => {
      after = (await endOfBatch(db, from, end)) ?? end;
      purged += await deleteContents(db, now, from, after);
    }, load);
  }
  return purged;
}

/** Returns the time of the last content of a batch; null if there are fewer up to `end`. */
async function endOfBatch(db: Database, after: Date, end: Date): Promise<Date | null> {
  const [last] = await db.$queryRaw<{ created_at: Date }[]>`
    SELECT created_at FROM generation_contents
    WHERE created_at > ${after}::timestamptz AND created_at <= ${end}::timestamptz
    ORDER BY created_at LIMIT 1 OFFSET ${BATCH - 1}`;
  return last?.created_at ?? null;
}

/** The planner knows the times and so reads only their partitions. */
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
 * Deletes snapshots last seen before the oldest generation; a day of tolerance covers clock differences and the hourly
 * `seen_at`.
 */
const purgeSnapshots = (db: Database, now: Date) => db.$executeRaw`
  DELETE FROM catalogue_snapshots AS snapshots USING organizations
  CROSS JOIN LATERAL (SELECT min(created_at) AS oldest FROM generations WHERE organization_id = organizations.id) AS log
  WHERE snapshots.organization_id = organizations.id
    AND snapshots.seen_at < least(log.oldest, ${now}::timestamptz) - interval '1 day'`;
