import "server-only";
import type { Context } from "../context";
import { json } from "../database/json";
import type { Database } from "../db";
import { uuidv7 } from "../ids";

export interface Change {
  /** `<noun>.<verb>`, past tense not needed: `guardrail.update`. */
  action: `${string}.${string}`;
  target: { type: string; id: string; name?: string | null };
  workspaceId?: string | null;
  before?: unknown;
  after?: unknown;
}

/** Writes one audit event in the transaction of the change itself. */
export const recordChange = (db: Database, context: Context, change: Change) => recordChanges(db, context, [change]);

/** The same for a change that touches several records. */
export async function recordChanges(db: Database, { caller, now, ip, requestId }: Context, changes: readonly Change[]): Promise<void> {
  const actor =
    caller.kind === "key"
      ? { actorType: "key", actorId: caller.keyId, actorName: caller.keyName }
      : { actorType: "member", actorId: caller.userId, actorName: caller.userName };
  await db.auditEvent.createMany({
    data: changes.map(({ action, target, workspaceId, before, after }) => ({
      id: uuidv7(now),
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
    })),
  });
}
