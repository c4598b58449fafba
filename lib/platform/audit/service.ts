import "server-only";
import type { AuditEvent as AuditEventRow } from "../../../prisma/generated/client";
import type { Context } from "../context";
import { invalid, notFound } from "../api-error";
import { decodeCursor, encodeCursor } from "../http/cursor";
import { Uuid, type Input, type Result } from "../http/operation";
import { MAX_COUNTED_DAYS } from "./contract";
import type * as contract from "./contract";

const toAuditEvent = (row: AuditEventRow): contract.AuditEvent => ({
  id: row.id,
  actor: { type: row.actorType as contract.AuditEvent["actor"]["type"], id: row.actorId, name: row.actorName },
  action: row.action,
  target: { type: row.targetType, id: row.targetId, name: row.targetName },
  workspace_id: row.workspaceId,
  before: row.before,
  after: row.after,
  ip: row.ip,
  request_id: row.requestId,
  created_at: row.createdAt.toISOString(),
});

/** SQL for rows after a position; the separate condition on time lets the index be used. */
function after(cursor: string | undefined) {
  if (cursor === undefined) return {};
  const [createdAt, id] = decodeCursor(cursor, (text) => Uuid.safeParse(text).success);
  return { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }] };
}

/** Returns the matching events, newest first, with one row more than the page to show whether another page follows. */
export async function findPage({ caller, db }: Context, query: contract.ListAuditEventsQuery) {
  const rows = await db.auditEvent.findMany({
    where: {
      organizationId: caller.organizationId,
      actorId: query.actor_id,
      action: query.action,
      targetType: query.target_type,
      targetId: query.target_id,
      AND: [{ createdAt: { gte: query.from, lt: query.to } }, after(query.cursor)],
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: query.limit + 1,
  });
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > query.limit;
  return {
    data: shown.map(toAuditEvent),
    next_cursor: hasMore && last ? encodeCursor([last.createdAt, last.id]) : null,
  };
}

export const list = (
  context: Context,
  { query }: Input<typeof contract.listAuditEvents>,
): Promise<Result<typeof contract.listAuditEvents>> => findPage(context, query);

const DAY_MS = 24 * 60 * 60_000;

/** The range is bounded, because all its events are counted. */
export async function count(
  { caller, db, now }: Context,
  { query: { from, to = now.toISOString() } }: Input<typeof contract.countAuditEvents>,
): Promise<Result<typeof contract.countAuditEvents>> {
  if (Date.parse(to) - Date.parse(from) > MAX_COUNTED_DAYS * DAY_MS)
    throw invalid([
      { path: ["from"], message: `must be at most ${MAX_COUNTED_DAYS} days before \`to\``, code: "custom" },
    ]);
  const rows = await db.auditEvent.groupBy({
    by: ["action"],
    where: { organizationId: caller.organizationId, createdAt: { gte: from, lt: to } },
    _count: { _all: true },
    orderBy: [{ _count: { action: "desc" } }, { action: "asc" }],
  });
  return { data: rows.map(({ action, _count }) => ({ action, count: _count._all })) };
}

export async function get(
  { caller, db }: Context,
  { params }: Input<typeof contract.getAuditEvent>,
): Promise<Result<typeof contract.getAuditEvent>> {
  const row = await db.auditEvent.findFirst({ where: { id: params.id, organizationId: caller.organizationId } });
  if (!row) throw notFound();
  return { data: toAuditEvent(row) };
}
