import "server-only";
import type { ExportDestination as Row } from "../../../prisma/generated/client";
import { conflict, invalid, notFound } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { inspected, type Inspect } from "../../platform/http/inspected";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake } from "../../platform/http/pagination";
import { uuidv7 } from "../../platform/ids";
import { urlProblem } from "../../platform/outbound/blocked-address";
import { standardSignal } from "../../platform/signal";
import { openTransactions } from "../../records/generations/recorded-store";
import { assertHolds } from "../../records/roles/assign-store";
import type * as contract from "./contract";
import type { ExportDestination } from "./contract";
import { withProgress } from "./progress-store";
import { openSecret, otlpTarget, sealSecret, target, toDestination, toRun, type OtlpTarget, type Secret } from "./rows";
import { send } from "./send-client";
import { ENDPOINTS_RULE, hasEndpoints, MOST_DESTINATIONS, S3_DEFAULTS } from "./vocabulary";
import { lockOrganization } from "../../records/organization/lock-store";

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Rejects addresses that this installation doesn't allow. */
const inspect: Inspect = ({ otlp, s3 }, { allowPrivateUpstreams }) =>
  [
    { path: ["otlp", "url"], url: fieldOf(otlp, "url") },
    { path: ["s3", "endpoint"], url: fieldOf(s3, "endpoint") },
  ].flatMap(({ path, url }) => {
    const problem = typeof url === "string" && URL.canParse(url) ? urlProblem(url, allowPrivateUpstreams) : null;
    return problem === null ? [] : [{ path, message: problem, code: "address_not_allowed" }];
  });

async function find(db: Database, { caller }: Context, id: string): Promise<Row> {
  const row = await db.exportDestination.findFirst({ where: { id, organizationId: caller.organizationId } });
  if (!row) throw notFound();
  return row;
}

async function shown(db: Database, row: Row): Promise<ExportDestination> {
  const [data] = await withProgress(db, row.organizationId, [row]);
  if (!data) throw notFound();
  return data;
}

async function lock(db: Database, context: Context, id: string): Promise<Row> {
  await db.$queryRaw`
    SELECT 1 AS locked FROM export_destinations
    WHERE id = ${id}::uuid AND organization_id = ${context.caller.organizationId}::uuid FOR UPDATE`;
  return find(db, context, id);
}

export async function list(
  { caller, db }: Context,
  { query }: Input<typeof contract.listExportDestinations>,
): Promise<Result<typeof contract.listExportDestinations>> {
  const { organizationId } = caller;
  const rows = await db.exportDestination.findMany({
    where: { organizationId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const page = rows.slice(query.offset, query.offset + query.limit);
  return { data: await withProgress(db, organizationId, page), total_count: rows.length };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getExportDestination>,
): Promise<Result<typeof contract.getExportDestination>> {
  return { data: await shown(context.db, await find(context.db, context, params.id)) };
}

/** Returns the stored parts of a destination's address, and its secret. */
function partsOf(body: Pick<contract.UpdateExportBody, "otlp" | "s3">, before: Row["target"], secret: Secret) {
  if (body.otlp) {
    const { headers = secret.headers ?? {}, ...settings } = body.otlp;
    const merged = { ...(before as object), ...settings } as Omit<OtlpTarget, "header_names">;
    if (!hasEndpoints(merged.url, merged.signals))
      throw invalid([{ path: ["otlp", "url"], message: ENDPOINTS_RULE, code: "custom" }]);
    return { target: { ...merged, header_names: Object.keys(headers) }, secret: { headers } };
  }
  if (body.s3) {
    const { secret_access_key = secret.secret_access_key, ...settings } = body.s3;
    return { target: { ...(before as object), ...settings }, secret: { secret_access_key } as Secret };
  }
  return { target: before as object, secret };
}

export const create = inspected(
  inspect,
  async (
    context: Context,
    { body }: Input<typeof contract.createExportDestination>,
  ): Promise<Result<typeof contract.createExportDestination>> => {
    const { caller, now, settings } = context;
    const { organizationId } = caller;
    if (body.content !== "none") assertHolds(context, "contents:read");
    const identity = { id: uuidv7(now), organizationId };
    const parts = partsOf(body, body.kind === "s3_jsonl" ? S3_DEFAULTS : {}, {});
    return inTransaction(context.db, async (db) => {
      await lockOrganization(db, organizationId);
      if ((await db.exportDestination.count({ where: { organizationId } })) >= MOST_DESTINATIONS)
        throw conflict(`An organization can have at most ${MOST_DESTINATIONS} export destinations. Delete one first`);
      const row = await db.exportDestination.create({
        data: {
          ...identity,
          name: body.name,
          kind: body.kind,
          content: body.content,
          enabled: body.enabled,
          target: parts.target,
          secretCiphertext: sealSecret(settings, identity, parts.secret),
          recordedIn: body.start === "now" ? await openTransactions(db) : 0n,
          generationId: "",
          nextRunAt: now,
          createdAt: now,
        },
      });
      await recordChange(db, context, {
        action: "export_destination.create",
        target: target(row),
        after: toDestination(row),
      });
      return { data: await shown(db, row) };
    });
  },
);

/** Updates a destination and runs it soon, because the cause of a failure may be fixed. */
export const update = inspected(
  inspect,
  async (
    context: Context,
    { params, body }: Input<typeof contract.updateExportDestination>,
  ): Promise<Result<typeof contract.updateExportDestination>> =>
    inTransaction(context.db, async (db) => {
      const { now, settings } = context;
      const row = await lock(db, context, params.id);
      // Whoever decides where contents go can read them there.
      const redirects = body.content !== undefined || body.otlp !== undefined || body.s3 !== undefined;
      if (redirects && (body.content ?? row.content) !== "none") assertHolds(context, "contents:read");
      const other = row.kind === "otlp" ? "s3" : "otlp";
      if (body[other] !== undefined)
        throw invalid([{ path: [other], message: `can't be used with ${row.kind}`, code: "custom" }]);
      const parts = partsOf(body, row.kind === "otlp" ? otlpTarget(row) : row.target, openSecret(settings, row));
      const after = await db.exportDestination.update({
        where: { id: row.id },
        data: {
          name: body.name,
          content: body.content,
          target: parts.target,
          secretCiphertext: sealSecret(settings, row, parts.secret),
          ...(body.enabled !== undefined && { enabled: body.enabled }),
          ...(body.enabled === true && { pausedReason: null, failingSince: null, failures: 0 }),
          nextRunAt: now,
          updatedAt: now,
        },
      });
      await recordChange(db, context, {
        action: "export_destination.update",
        target: target(after),
        before: toDestination(row),
        after: toDestination(after),
      });
      return { data: await shown(db, after) };
    }),
);

export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteExportDestination>,
): Promise<Result<typeof contract.deleteExportDestination>> {
  return inTransaction(context.db, async (db) => {
    const row = await lock(db, context, params.id);
    await db.exportDestination.delete({ where: { id: row.id } });
    await recordChange(db, context, {
      action: "export_destination.delete",
      target: target(row),
      before: toDestination(row),
    });
    return { deleted: true as const };
  });
}

/** Sends a request or file without generations, and returns the outcome. */
export async function test(
  context: Context,
  { params }: Input<typeof contract.testExportDestination>,
): Promise<Result<typeof contract.testExportDestination>> {
  const { db, now, settings, signal } = context;
  const row = await find(db, context, params.id);
  const start = performance.now();
  const outcome = await send(settings, row, "signalbox-test", [], standardSignal(signal));
  const error = outcome.result === "accepted" ? null : outcome.reason;
  return inTransaction(db, async (transaction) => {
    await lock(transaction, context, params.id);
    const run = await transaction.exportRun.create({
      data: {
        id: uuidv7(now),
        destinationId: row.id,
        isTest: true,
        generations: 0,
        error,
        startedAt: now,
        durationMs: Math.round(performance.now() - start),
      },
    });
    await recordChange(transaction, context, {
      action: "export_destination.test",
      target: target(row),
      after: { error },
    });
    return { data: toRun(run) };
  });
}

export async function listRuns(
  context: Context,
  { params, query }: Input<typeof contract.listExportRuns>,
): Promise<Result<typeof contract.listExportRuns>> {
  const { db, caller } = context;
  const row = await db.exportDestination.findFirst({
    where: { id: params.id, organizationId: caller.organizationId },
    include: {
      runs: { orderBy: [{ startedAt: "desc" }, { id: "desc" }], ...skipTake(query) },
      _count: { select: { runs: true } },
    },
  });
  if (!row) throw notFound();
  return { data: row.runs.map(toRun), total_count: row._count.runs };
}
