import "server-only";
import type { Context } from "../context";
import { json } from "../database/json";
import type { Database } from "../db";
import { repeatableUuid, uuidv7 } from "../ids";
import { eventOf } from "../webhooks/event-policy";
import { announce } from "../webhooks/outbox";

export interface Change {
  /** `<noun>.<verb>`, past tense not needed: `guardrail.update`. */
  action: `${string}.${string}`;
  target: { type: string; id: string; name?: string | null };
  workspaceId?: string | null;
  before?: unknown;
  after?: unknown;
}

const HOUR_MS = 60 * 60_000;

/** Writes one audit event in the transaction of the change itself. */
export const recordChange = (db: Database, context: Context, change: Change) => recordChanges(db, context, [change]);

/** The same for a change that touches several records. Webhooks that listen are told in the same transaction. */
export async function recordChanges(db: Database, context: Context, changes: readonly Change[]): Promise<void> {
  await db.auditEvent.createMany({ data: changes.map((change) => ({ id: uuidv7(context.now), ...rowOf(context, change) })) });
  const told = changes.flatMap((change) => {
    const type = eventOf(change);
    return type === null ? [] : [{ type, data: toldData(context, change) }];
  });
  await announce(db, context.caller.organizationId, told, context.now);
}

/** A change as a webhook is told it. */
function toldData(context: Context, change: Change) {
  const { actorType, actorId, actorName, targetType, targetId, targetName, workspaceId, requestId } = rowOf(context, change);
  return {
    actor: { type: actorType, id: actorId, name: actorName },
    target: { type: targetType, id: targetId, name: targetName },
    workspace_id: workspaceId,
    before: change.before ?? null,
    after: change.after ?? null,
    request_id: requestId,
  };
}

/** Writes that something was read: once per actor, target and what `after` says, and hour of the clock, however often it is read. */
export async function recordRead(db: Database, context: Context, read: Omit<Change, "before">): Promise<void> {
  const row = rowOf(context, read);
  const hour = new Date(Math.floor(context.now.getTime() / HOUR_MS) * HOUR_MS);
  const id = repeatableUuid(hour, JSON.stringify([row.actorType, row.actorId, row.action, row.targetType, row.targetId, read.after]));
  await db.auditEvent.createMany({ data: [{ id, ...row }], skipDuplicates: true });
}

function rowOf({ caller, now, ip, requestId }: Context, { action, target, workspaceId, before, after }: Change) {
  const actor =
    caller.kind === "key"
      ? { actorType: "key", actorId: caller.keyId, actorName: caller.keyName }
      : { actorType: "member", actorId: caller.userId, actorName: caller.userName };
  return {
    organizationId: caller.organizationId,
    workspaceId: workspaceId ?? null,
    ...actor,
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
