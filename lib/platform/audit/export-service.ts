import "server-only";
import type { Context } from "../context";
import { onReplica } from "../database/replica";
import { csvTable } from "../csv";
import type { StreamedAnswer } from "../http/event-stream";
import { exportAnswer } from "../http/export-stream";
import type { Input } from "../http/operation";
import type { AuditEvent, AuditFilters, exportAuditEvents } from "./contract";
import { findPage } from "./service";
import { recordChange } from "./store";

/** Maximum number of events in memory. */
const BATCH = 500;

const jsonText = (value: unknown) => (value === null ? null : JSON.stringify(value));

const TABLE = csvTable<AuditEvent>({
  created_at: ({ created_at }) => created_at,
  actor_type: ({ actor }) => actor.type,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  action: ({ action }) => action,
  target_type: ({ target }) => target.type,
  target_id: ({ target }) => target.id,
  target_name: ({ target }) => target.name,
  workspace_id: ({ workspace_id }) => workspace_id,
  ip: ({ ip }) => ip,
  request_id: ({ request_id }) => request_id,
  before: ({ before }) => jsonText(before),
  after: ({ after }) => jsonText(after),
});

/** Exports all matching events as a file, newest first. The export is recorded as an event, too. */
export async function exportAll(context: Context, { query }: Input<typeof exportAuditEvents>): Promise<StreamedAnswer> {
  const { format, ...filters } = query;
  await recordChange(context.db, context, {
    action: "audit_event.export",
    target: { type: "organization", id: context.caller.organizationId },
    after: { format, filters },
  });
  return exportAnswer({
    name: "audit-events",
    format,
    now: context.now,
    batches: batchesOf(context, filters),
    table: TABLE,
  });
}

async function* batchesOf(context: Context, filters: AuditFilters): AsyncGenerator<AuditEvent[], undefined> {
  let cursor: string | undefined;
  do {
    context.signal.throwIfAborted();
    const query = { ...filters, cursor, limit: BATCH };
    const page = await onReplica(context.db, (db) => findPage({ ...context, db }, query));
    yield page.data;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return undefined;
}
