import "server-only";
import type { Context } from "../context";
import { json } from "../database/json";
import type { Database } from "../database/transaction";
import { repeatableUuid, uuidv7 } from "../ids";
import { eventOf } from "../outbox/event-policy";
import { publish } from "../outbox/outbox-store";
import type { AuditEvent } from "./contract";

export interface Change {
  /** `<noun>.<verb>`, past tense not needed: `guardrail.update`. */
  action: `${string}.${string}`;
  target: { type: string; id: string; name?: string | null };
  workspaceId?: string | null;
  before?: unknown;
  after?: unknown;
}

const HOUR_MS = 60 * 60_000;

/** Whose change it is, and by what. */
interface Cause {
  organizationId: string;
  actor: { type: AuditEvent["actor"]["type"]; id: string | null; name: string };
  ip: string | null;
  requestId: string;
  now: Date;
}

const ofRequest = ({ caller, now, ip, requestId }: Context): Cause => ({
  organizationId: caller.organizationId,
  actor:
    caller.kind === "key"
      ? { type: "key", id: caller.keyId, name: caller.keyName }
      : { type: "member", id: caller.userId, name: caller.userName },
  ip,
  requestId,
  now,
});

/** Writes one audit event in the transaction of the change itself. */
export const recordChange = (db: Database, context: Context, change: Change) => recordChanges(db, context, [change]);

/** The same for a change that touches several records. Webhooks that listen are told in the same transaction. */
export const recordChanges = (db: Database, context: Context, changes: readonly Change[]) =>
  write(db, ofRequest(context), changes);

/** The same for what nobody asked for; `jobId` stands where a request's id would. */
export const recordOwnChange = (
  db: Database,
  { jobId, ...rest }: { organizationId: string; jobId: string; now: Date },
  change: Change,
) =>
  write(db, { ...rest, actor: { type: "system", id: null, name: "Signalbox" }, ip: null, requestId: jobId }, [change]);

async function write(db: Database, cause: Cause, changes: readonly Change[]): Promise<void> {
  await db.auditEvent.createMany({
    data: changes.map((change) => ({ id: uuidv7(cause.now), ...rowOf(cause, change) })),
  });
  const told = changes.flatMap((change) => {
    const type = eventOf(change);
    return type === null ? [] : [{ type, data: toldData(cause, change) }];
  });
  await publish(db, cause.organizationId, told, cause.now);
}

/** A change as a webhook is told it. */
function toldData(cause: Cause, change: Change) {
  const { targetType, targetId, targetName, workspaceId, requestId } = rowOf(cause, change);
  return {
    actor: cause.actor,
    target: { type: targetType, id: targetId, name: targetName },
    workspace_id: workspaceId,
    before: change.before ?? null,
    after: change.after ?? null,
    request_id: requestId,
  };
}

/** Writes that something was read: once per actor, target and what `after` says, and hour of the clock, however often it is read. */
export async function recordRead(db: Database, context: Context, read: Omit<Change, "before">): Promise<void> {
  const row = rowOf(ofRequest(context), read);
  const hour = new Date(Math.floor(context.now.getTime() / HOUR_MS) * HOUR_MS);
  const id = repeatableUuid(
    hour,
    JSON.stringify([row.actorType, row.actorId, row.action, row.targetType, row.targetId, read.after]),
  );
  await db.auditEvent.createMany({ data: [{ id, ...row }], skipDuplicates: true });
}

function rowOf(
  { organizationId, actor, now, ip, requestId }: Cause,
  { action, target, workspaceId, before, after }: Change,
) {
  return {
    organizationId,
    workspaceId: workspaceId ?? null,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    action,
    targetType: target.type,
    targetId: target.id,
    targetName: target.name ?? null,
    before: json(before ?? null),
    after: json(after ?? null),
    ip,
    requestId,
    createdAt: now,
  };
}
