import "server-only";
import type { ExportDestination as Row, Prisma } from "../../../prisma/generated/client";
import { ApiError } from "../../platform/api-error";
import { recordOwnChange, recordOwnRead } from "../../platform/audit/store";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { uuidv7 } from "../../platform/ids";
import { FairDispatch, type Due } from "../../platform/jobs/fair-dispatch";
import { logger } from "../../platform/logger";
import { openTransactions } from "../../records/generations/recorded-store";
import { exportedGenerations } from "./exported-generations-service";
import { target, toDestination, type S3Target } from "./rows";
import { fileName, reasonToPause, retryAt } from "./run";
import { send, type Outcome } from "./send-client";

/** Maximum number of generations in a request and in a file. */
const MOST = { otlp: 100, s3_jsonl: 1_000 } as const;
/** Maximum stored size of the contents of a batch in bytes, unless a single one is larger. */
const MOST_CONTENT_BYTES = 8 * 1024 * 1024;
/** Time after which other destinations get their turn. */
const TURN_MS = 10_000;
const EVERY_MS = 10_000;
const MINUTE_MS = 60_000;
/** Time after which another process takes over from a killed one. Renewed while a batch is sent. */
const LEASE_MS = 15_000;
const RENEW_MS = 4_000;
const RUNS_KEPT = 200;

export interface ExportContext {
  db: Database;
  settings: Env;
  clock: () => Date;
  signal: AbortSignal;
}

interface Found {
  created_at: Date;
  id: string;
  recorded_in: bigint;
}

/** Maximum number of concurrent exports in a process; each destination is a separate receiver. */
const SHARES = { total: 32, ofOrganization: 32, ofReceiver: 1 } as const;

/** Runs due destinations in turns. Calls `exported` with the number of generations of each turn. */
export function exportDispatch(
  context: ExportContext,
  failed: (error: unknown) => void,
  exported: (generations: number) => void = () => undefined,
): FairDispatch<Due> {
  const { db, clock, signal } = context;
  return new FairDispatch({
    find: async () => {
      const due = await db.exportDestination.findMany({
        where: { enabled: true, nextRunAt: { lte: clock() } },
        select: { id: true, organizationId: true },
        orderBy: { nextRunAt: "asc" },
      });
      return due.map((row) => ({ ...row, receiver: row.id }));
    },
    run: async ({ id }) => {
      const own = await claim(context, id);
      if (own) exported(await takeTurn(context, own));
      return own !== null;
    },
    shares: SHARES,
    failed,
    signal,
  });
}

/** Takes the lease of a due destination; null if another process has it. */
async function claim({ db, clock }: ExportContext, id: string): Promise<Own | null> {
  const now = clock();
  const nextRunAt = leaseFrom(now);
  const due = { id, enabled: true, nextRunAt: { lte: now } };
  const { count } = await db.exportDestination.updateMany({ where: due, data: { nextRunAt } });
  return count > 0 ? { id, nextRunAt } : null;
}

/**
 * Exports the generations recorded since a destination's position, batch by batch. The position advances after a batch
 * is accepted, so a process that ends before that sends the same batch again. A rejected batch is halved down to one
 * generation, which is skipped if it is rejected.
 */
async function takeTurn(context: ExportContext, own: Own): Promise<number> {
  const { db, clock, signal } = context;
  const turnEndsAt = clock().getTime() + TURN_MS;
  let exported = 0;
  do {
    const row = await db.exportDestination.findFirst({ where: own });
    if (!row) return exported;
    const started = clock();
    const found = await following(db, row);
    const last = found.at(-1);
    if (!last) {
      await db.exportDestination.updateMany({ where: own, data: { nextRunAt: nextRun(row, clock()) } });
      return exported;
    }
    const outcome = await whileRenewing(context, own, () => sendFound(context, row, found));
    const ended = { row, own, started, now: clock() };
    if (outcome.result === "failed") {
      await fail(db, ended, outcome.reason);
      return exported;
    }
    const nextRunAt = leaseFrom(clock());
    if (outcome.result === "rejected" && found.length > 1) {
      const batchSize = Math.ceil(found.length / 2);
      const { count: halved } = await db.exportDestination.updateMany({ where: own, data: { batchSize, nextRunAt } });
      if (halved === 0) return exported;
    } else {
      const position = { recordedIn: last.recorded_in, generationId: last.id, nextRunAt };
      if (!(await succeed(db, ended, found.length, outcome, position))) return exported;
      exported += found.length;
    }
    own.nextRunAt = nextRunAt;
  } while (!signal.aborted && clock().getTime() < turnEndsAt);
  await db.exportDestination.updateMany({ where: own, data: { nextRunAt: clock() } });
  return exported;
}

/** Renews a lease during the work; `own` has the current one. */
async function whileRenewing<T>({ db, clock }: ExportContext, own: Own, work: () => Promise<T>): Promise<T> {
  let renewal = Promise.resolve();
  const renew = async () => {
    const nextRunAt = leaseFrom(clock());
    const { count } = await db.exportDestination.updateMany({ where: { ...own }, data: { nextRunAt } });
    if (count > 0) own.nextRunAt = nextRunAt;
  };
  // If a renewal fails and the lease ends, another process sends the batch as well.
  const timer = setInterval(() => {
    renewal = renewal.then(renew).catch(() => undefined);
  }, RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await renewal;
  }
}

const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);

const nextRun = ({ kind, target: settings }: Row, now: Date): Date =>
  new Date(
    now.getTime() + (kind === "otlp" ? EVERY_MS : (settings as unknown as S3Target).interval_minutes * MINUTE_MS),
  );

const batchSizeOf = ({ kind, batchSize }: Pick<Row, "kind" | "batchSize">) =>
  Math.min(batchSize ?? MOST[kind], MOST[kind]);

/** Returns double the size after an accepted batch or a skipped generation, up to the usual size. */
const nextBatchSize = ({ kind, batchSize }: Row): number | null =>
  batchSize === null || batchSize * 2 >= MOST[kind] ? null : batchSize * 2;

/**
 * Returns the generations after a destination's position in the order of recording, from finished transactions only.
 */
async function following(db: Database, { organizationId, content, ...row }: Row): Promise<Found[]> {
  const until = await openTransactions(db);
  // A database copied to another server has new transaction numbers, so everything is exported again.
  const [recordedIn, after] = row.recordedIn > until ? [0n, ""] : [row.recordedIn, row.generationId];
  const found = await db.$queryRaw<(Found & { size: number })[]>`
    SELECT g.created_at, g.id, g.recorded_in,
      coalesce(c.stored_bytes, pg_column_size(c.input) + coalesce(pg_column_size(c.completion), 0), 0) AS size
    FROM generations g LEFT JOIN generation_contents c
      ON ${content !== "none"}::boolean AND c.created_at = g.created_at AND c.generation_id = g.id
    WHERE g.organization_id = ${organizationId}::uuid
      AND (g.recorded_in, g.id) > (${recordedIn}::bigint, ${after}) AND g.recorded_in < ${until}::bigint
    ORDER BY g.recorded_in, g.id LIMIT ${batchSizeOf(row)}`;
  let bytes = 0;
  const end = found.findIndex(({ size }, index) => (bytes += size) > MOST_CONTENT_BYTES && index > 0);
  return end < 0 ? found : found.slice(0, end);
}

async function sendFound(context: ExportContext, row: Row, found: readonly Found[]): Promise<Outcome> {
  const { db, settings, clock, signal } = context;
  const { id, organizationId, content } = row;
  try {
    const now = clock();
    if (content !== "none")
      await recordOwnRead(
        db,
        { organizationId, jobId: id, now },
        { action: "generation.export_content", target: target(row), after: { content } },
      );
    const generations = await exportedGenerations({ db, settings, now, signal }, organizationId, found, content);
    const [first] = found;
    const [firstGeneration] = generations;
    if (!first || !firstGeneration) return { result: "accepted", rejected: 0, reason: null };
    return await send(settings, row, fileName(firstGeneration, first.recorded_in), generations, signal);
  } catch (err) {
    signal.throwIfAborted();
    logger().error({ err, destination: id }, "an export failed");
    const reason = err instanceof ApiError ? err.message : "The export failed; the server's log has the reason";
    return { result: "failed", reason };
  }
}

/** A destination, and this process's lease on it. */
interface Own {
  id: string;
  nextRunAt: Date;
}

interface Ended {
  row: Row;
  own: Own;
  started: Date;
  now: Date;
}

type Final = Exclude<Outcome, { result: "failed" }>;

/**
 * Advances the position if this process still has the lease. Rejected generations are recorded in the same transaction.
 */
async function succeed(
  db: Database,
  ended: Ended,
  generations: number,
  { result, rejected, reason }: Final,
  position: { recordedIn: bigint; generationId: string; nextRunAt: Date },
): Promise<boolean> {
  const skippedGenerationId = result === "rejected" ? position.generationId : null;
  const isMoved = await inTransaction(db, async (transaction) => {
    const { count } = await transaction.exportDestination.updateMany({
      where: ended.own,
      data: { ...position, batchSize: nextBatchSize(ended.row), failures: 0, failingSince: null },
    });
    if (count > 0) await note(transaction, ended, { generations, rejected, rejection: reason, skippedGenerationId });
    return count > 0;
  });
  if (isMoved && rejected > 0)
    logger().warn(
      { destination: ended.row.id, rejected, reason, skippedGenerationId },
      "a receiver rejected exported generations",
    );
  return isMoved;
}

/** Records a failure and the time of the next attempt, or pauses the destination. */
function fail(db: Database, ended: Ended, error: string): Promise<void> {
  const { row, own, now } = ended;
  const { organizationId } = row;
  const failures = row.failures + 1;
  const failingSince = row.failingSince ?? now;
  const pausedReason = reasonToPause(failingSince, now);
  return inTransaction(db, async (transaction) => {
    const { count } = await transaction.exportDestination.updateMany({
      where: own,
      data: {
        failures,
        failingSince,
        nextRunAt: retryAt(failures, now),
        ...(pausedReason !== null && { enabled: false, pausedReason }),
      },
    });
    if (count === 0) return;
    await note(transaction, ended, { generations: 0, error });
    if (pausedReason === null) return;
    logger().warn({ destination: row.id, pausedReason }, "export destination paused");
    await recordOwnChange(
      transaction,
      { organizationId, jobId: row.id, now },
      {
        action: "export_destination.pause",
        target: target(row),
        before: toDestination(row),
        after: { ...toDestination(row), enabled: false, paused_reason: pausedReason },
      },
    );
  });
}

/**
 * Writes a run, and deletes older ones. Runs with rejections have a separate limit, so that others don't displace them.
 */
async function note(
  db: Database,
  { row, started, now }: Ended,
  run: Pick<
    Prisma.ExportRunUncheckedCreateInput,
    "generations" | "error" | "rejected" | "rejection" | "skippedGenerationId"
  >,
) {
  await db.exportRun.create({
    data: {
      ...run,
      id: uuidv7(now),
      destinationId: row.id,
      startedAt: started,
      durationMs: now.getTime() - started.getTime(),
    },
  });
  await db.$executeRaw`
    DELETE FROM export_runs WHERE destination_id = ${row.id}::uuid AND id IN (
      SELECT id FROM export_runs WHERE destination_id = ${row.id}::uuid AND (rejected > 0) = ${(run.rejected ?? 0) > 0}::boolean
      ORDER BY started_at DESC, id DESC OFFSET ${RUNS_KEPT}
    )`;
}
