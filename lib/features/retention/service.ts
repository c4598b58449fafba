import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import { FAILURES_KEPT_MS } from "../../records/session/throttle-policy";
import { amongTimesOf, deleteGenerations } from "../../records/generations/deletion-store";
import { purgeRollups } from "../analytics/rollup-service";
import { REPLAY_WINDOW_MS } from "../../platform/http/idempotency-store";

const BATCH = 5000;
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
export async function purgeExpired(db: Database, now: Date): Promise<Purged> {
  const replayEnd = new Date(now.getTime() - REPLAY_WINDOW_MS);
  return {
    contents: await purgeContents(db, now),
    generations: await inBatches(() => purgeGenerations(db, now)),
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

async function inBatches(purge: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let count = BATCH; count === BATCH; total += count) count = await givingWay(purge);
  return total;
}

/** Runs a batch, and then leaves the database to requests for as long as it took. */
async function givingWay<T>(batch: () => PromiseLike<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await batch();
  await sleep(performance.now() - startedAt);
  return result;
}

/**
 * Deletes expired content. Goes through the contents older than the shortest retention, from the oldest on, so that a run without any reads none.
 * Their generations aren't changed, which would write them anew with all their index entries: without a content, a stored one has been deleted.
 */
async function purgeContents(db: Database, now: Date): Promise<number> {
  let purged = 0;
  for (let after: Place | null = { created_at: new Date(0), id: "" }; after;) {
    const from: Place = after;
    const [batch] = await givingWay(
      () => db.$queryRaw<(Place & { purged: number; seen: number })[]>`
      WITH seen AS MATERIALIZED (
        SELECT created_at, generation_id AS id FROM generation_contents
        WHERE created_at < ${now}::timestamptz - make_interval(days => (SELECT min(content_retention_days) FROM workspaces))
          AND (created_at, generation_id) > (${from.created_at}::timestamptz, ${from.id})
        ORDER BY created_at, generation_id LIMIT ${BATCH}
      ), expired AS (
        SELECT seen.* FROM seen JOIN generations ON generations.created_at = seen.created_at AND generations.id = seen.id
          JOIN workspaces ON workspaces.id = generations.workspace_id
        WHERE ${amongTimesOf("generations", "seen")} AND seen.created_at < ${now}::timestamptz - make_interval(days => workspaces.content_retention_days)
      ), deleted AS (
        DELETE FROM generation_contents contents USING expired
        WHERE ${amongTimesOf("contents", "expired")} AND contents.created_at = expired.created_at AND contents.generation_id = expired.id
        RETURNING 1
      ), last AS (SELECT * FROM seen ORDER BY created_at DESC, id DESC LIMIT 1)
      SELECT last.*, (SELECT count(*)::int FROM deleted) AS purged, (SELECT count(*)::int FROM seen) AS seen FROM last`,
    );
    purged += batch?.purged ?? 0;
    after = batch?.seen === BATCH ? batch : null;
  }
  return purged;
}

/** A position among records in order of time. */
interface Place {
  created_at: Date;
  id: string;
}

const purgeGenerations = (db: Database, now: Date) =>
  deleteGenerations(
    db,
    Prisma.sql`
    SELECT expired.* FROM workspaces CROSS JOIN LATERAL (
      SELECT created_at, id FROM generations
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
