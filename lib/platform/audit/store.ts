import "server-only";
import type { ActorContext, Caller, Context, ScimCaller } from "../context";
import { json } from "../database/json";
import type { Database } from "../database/transaction";
import { repeatableUuid, uuidv7 } from "../ids";
import { eventOf } from "../outbox/event-of-change";
import { publish } from "../outbox/outbox-store";
import type { AuditEvent } from "./contract";

export interface Change {
  /** `<noun>.<verb>` in the present tense: `guardrail.update`. */
  action: `${string}.${string}`;
  target: { type: string; id: string; name?: string | null };
  workspaceId?: string | null;
  before?: unknown;
  after?: unknown;
}

const HOUR_MS = 60 * 60_000;

/** The actor and origin of a change. */
interface Cause {
  organizationId: string;
  actor: { type: AuditEvent["actor"]["type"]; id: string | null; name: string };
  ip: string | null;
  requestId: string;
  now: Date;
}

const SYSTEM: Cause["actor"] = { type: "system", id: null, name: "Signalbox" };

/** Returns the actor of a caller's events. */
export function actorOf(caller: Caller | ScimCaller): Cause["actor"] {
  if (caller.kind === "key") return { type: "key", id: caller.keyId, name: caller.keyName };
  if (caller.kind === "scim") return { type: "scim_token", id: caller.tokenId, name: caller.tokenName };
  return { type: "member", id: caller.userId, name: caller.userName };
}

const ofRequest = ({ caller, now, ip, requestId }: ActorContext): Cause => ({
  organizationId: caller.organizationId,
  actor: actorOf(caller),
  ip,
  requestId,
  now,
});

/** Writes an audit event in the transaction of the change. */
export const recordChange = (db: Database, context: ActorContext, change: Change) =>
  recordChanges(db, context, [change]);

/** Writes audit events for a change of several records, and publishes them to webhooks, in the same transaction. */
export const recordChanges = (db: Database, context: ActorContext, changes: readonly Change[]) =>
  write(db, ofRequest(context), changes);

/** Writes an audit event for a change by the system; `jobId` replaces the request id. */
export const recordOwnChange = (
  db: Database,
  { jobId, ...rest }: { organizationId: string; jobId: string; now: Date },
  change: Change,
) => write(db, { ...rest, actor: SYSTEM, ip: null, requestId: jobId }, [change]);

async function write(db: Database, cause: Cause, changes: readonly Change[]): Promise<void> {
  await db.auditEvent.createMany({
    data: changes.map((change) => ({ id: uuidv7(cause.now), ...rowOf(cause, change) })),
  });
  const announcements = changes.flatMap((change) => {
    const type = eventOf(change);
    return type === null ? [] : [{ type, data: eventData(cause, change) }];
  });
  await publish(db, cause.organizationId, announcements, cause.now);
}

/** Builds a change's webhook payload. */
function eventData(cause: Cause, change: Change) {
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

/** Records a read, at most once per hour for each actor, target and `after`. */
export const recordRead = (db: Database, context: Context, read: Omit<Change, "before">): Promise<void> =>
  writeRead(db, ofRequest(context), read);

/** Records a read by the system, also at most once per hour; `jobId` replaces the request id. */
export const recordOwnRead = (
  db: Database,
  { jobId, ...rest }: { organizationId: string; jobId: string; now: Date },
  read: Omit<Change, "before">,
): Promise<void> => writeRead(db, { ...rest, actor: SYSTEM, ip: null, requestId: jobId }, read);

async function writeRead(db: Database, cause: Cause, read: Omit<Change, "before">): Promise<void> {
  const row = rowOf(cause, read);
  const hour = new Date(Math.floor(cause.now.getTime() / HOUR_MS) * HOUR_MS);
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
