import "server-only";
import { recordChange } from "../audit/record";
import type { Context } from "../context";
import { inTransaction, type Database } from "../db";
import { invalid } from "../http/api-error";
import type { Input, Result } from "../http/operation";
import { skipTake, type PageQuery } from "../http/pagination";
import { uuidv7 } from "../ids";
import type * as contract from "./assignments-contract";
import { findGuardrail, lockGuardrail } from "./service";

const newestFirst = [{ createdAt: "desc" as const }, { id: "desc" as const }];

/** What can be assigned: its row's id, and the name it has on the wire. */
interface Target {
  id: string;
  wireName: string;
}

async function keyPage(context: Context, query: PageQuery, guardrailId?: string): Promise<Result<typeof contract.listKeyAssignments>> {
  const where = { organizationId: context.caller.organizationId, guardrailId };
  const rows = await context.db.guardrailKeyAssignment.findMany({ where, include: { key: true }, orderBy: newestFirst, ...skipTake(query) });
  const data = rows.map(({ id, key, assignedBy, createdAt, ...row }) => ({
    id,
    guardrail_id: row.guardrailId,
    key_hash: key.hash,
    key_name: key.name,
    key_label: key.label,
    assigned_by: assignedBy,
    created_at: createdAt.toISOString(),
  }));
  return { data, total_count: await context.db.guardrailKeyAssignment.count({ where }) };
}

async function memberPage(context: Context, query: PageQuery, guardrailId?: string): Promise<Result<typeof contract.listMemberAssignments>> {
  const where = { organizationId: context.caller.organizationId, guardrailId };
  const rows = await context.db.guardrailMemberAssignment.findMany({ where, orderBy: newestFirst, ...skipTake(query) });
  const data = rows.map((row) => ({
    id: row.id,
    guardrail_id: row.guardrailId,
    user_id: row.userId,
    organization_id: row.organizationId,
    assigned_by: row.assignedBy,
    created_at: row.createdAt.toISOString(),
  }));
  return { data, total_count: await context.db.guardrailMemberAssignment.count({ where }) };
}

export const listKeys = (context: Context, { query }: Input<typeof contract.listKeyAssignments>) => keyPage(context, query);
export const listMembers = (context: Context, { query }: Input<typeof contract.listMemberAssignments>) => memberPage(context, query);

export async function listKeysOf(context: Context, { params, query }: Input<typeof contract.listGuardrailKeyAssignments>) {
  const guardrail = await findGuardrail(context.db, context, params.id);
  return keyPage(context, query, guardrail.id);
}

export async function listMembersOf(context: Context, { params, query }: Input<typeof contract.listGuardrailMemberAssignments>) {
  const guardrail = await findGuardrail(context.db, context, params.id);
  return memberPage(context, query, guardrail.id);
}

/** Living inference keys of the guardrail's workspace, locked in one order so that parallel calls can't block each other. */
const findKeys = (db: Database, workspaceId: string, hashes: string[]) => db.$queryRaw<Target[]>`
  SELECT id, hash AS "wireName" FROM keys
  WHERE hash = ANY(${hashes}) AND workspace_id = ${workspaceId}::uuid AND kind = 'inference' AND deleted_at IS NULL
  ORDER BY id FOR SHARE`;

/** Living members of the organization, locked likewise. */
const findMembers = (db: Database, organizationId: string, userIds: string[]) => db.$queryRaw<Target[]>`
  SELECT id, id AS "wireName" FROM members
  WHERE id = ANY(${userIds}) AND organization_id = ${organizationId}::uuid AND deleted_at IS NULL
  ORDER BY id FOR SHARE`;

/** All or nothing: names that are unknown, of a management key, or of another workspace stop the whole call. */
function assertAllFound(field: string, names: readonly string[], found: readonly Target[]): void {
  const known = new Set(found.map(({ wireName }) => wireName));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  const path = [field];
  throw invalid([{ path, message: `${unknown.length} can't be assigned: unknown, or not of the guardrail's workspace`, code: "unknown" }], { unknown });
}

export async function assignKeys(
  context: Context,
  { params, body }: Input<typeof contract.bulkAssignKeys>,
): Promise<Result<typeof contract.bulkAssignKeys>> {
  const hashes = [...new Set(body.key_hashes)];
  return inTransaction(context.db, async (db) => {
    const guardrail = await lockGuardrail(db, context, params.id);
    const keys = await findKeys(db, guardrail.workspaceId, hashes);
    assertAllFound("key_hashes", hashes, keys);
    const keyIds = keys.map(({ id }) => id);
    const before = await db.guardrailKeyAssignment.findMany({ where: { keyId: { in: keyIds } }, select: { guardrailId: true, keyId: true } });
    await db.$executeRaw`
      INSERT INTO guardrail_key_assignments (id, organization_id, guardrail_id, key_id, assigned_by, created_at)
      SELECT new.id, ${context.caller.organizationId}::uuid, ${guardrail.id}::uuid, new.key_id, ${context.caller.userId}, ${context.now}
      FROM unnest(${keyIds.map(() => uuidv7(context.now))}::uuid[], ${keyIds}::uuid[]) AS new(id, key_id)
      ON CONFLICT (key_id) DO UPDATE
        SET id = excluded.id, guardrail_id = excluded.guardrail_id, assigned_by = excluded.assigned_by, created_at = excluded.created_at
        WHERE guardrail_key_assignments.guardrail_id <> excluded.guardrail_id`;
    await recordAssignment(db, context, "guardrail.assign_keys", guardrail, before, hashes);
    return { assigned_count: keys.length };
  });
}

export async function assignMembers(
  context: Context,
  { params, body }: Input<typeof contract.bulkAssignMembers>,
): Promise<Result<typeof contract.bulkAssignMembers>> {
  const userIds = [...new Set(body.member_user_ids)];
  return inTransaction(context.db, async (db) => {
    const guardrail = await lockGuardrail(db, context, params.id);
    const members = await findMembers(db, context.caller.organizationId, userIds);
    assertAllFound("member_user_ids", userIds, members);
    const { workspaceId } = guardrail;
    const before = await db.guardrailMemberAssignment.findMany({
      where: { workspaceId, userId: { in: userIds } },
      select: { guardrailId: true, userId: true },
    });
    await db.$executeRaw`
      INSERT INTO guardrail_member_assignments (id, organization_id, workspace_id, guardrail_id, user_id, assigned_by, created_at)
      SELECT new.id, ${context.caller.organizationId}::uuid, ${workspaceId}::uuid, ${guardrail.id}::uuid, new.user_id, ${context.caller.userId}, ${context.now}
      FROM unnest(${members.map(() => uuidv7(context.now))}::uuid[], ${members.map(({ id }) => id)}::text[]) AS new(id, user_id)
      ON CONFLICT (workspace_id, user_id) DO UPDATE
        SET id = excluded.id, guardrail_id = excluded.guardrail_id, assigned_by = excluded.assigned_by, created_at = excluded.created_at
        WHERE guardrail_member_assignments.guardrail_id <> excluded.guardrail_id`;
    await recordAssignment(db, context, "guardrail.assign_members", guardrail, before, userIds);
    return { assigned_count: members.length };
  });
}

export async function unassignKeys(
  context: Context,
  { params, body }: Input<typeof contract.bulkUnassignKeys>,
): Promise<Result<typeof contract.bulkUnassignKeys>> {
  return inTransaction(context.db, async (db) => {
    const guardrail = await lockGuardrail(db, context, params.id);
    const where = { guardrailId: guardrail.id, key: { hash: { in: body.key_hashes } } };
    const { count } = await db.guardrailKeyAssignment.deleteMany({ where });
    if (count > 0) await recordAssignment(db, context, "guardrail.unassign_keys", guardrail, [], body.key_hashes);
    return { unassigned_count: count };
  });
}

export async function unassignMembers(
  context: Context,
  { params, body }: Input<typeof contract.bulkUnassignMembers>,
): Promise<Result<typeof contract.bulkUnassignMembers>> {
  return inTransaction(context.db, async (db) => {
    const guardrail = await lockGuardrail(db, context, params.id);
    const where = { guardrailId: guardrail.id, userId: { in: body.member_user_ids } };
    const { count } = await db.guardrailMemberAssignment.deleteMany({ where });
    if (count > 0) await recordAssignment(db, context, "guardrail.unassign_members", guardrail, [], body.member_user_ids);
    return { unassigned_count: count };
  });
}

async function recordAssignment(
  db: Database,
  context: Context,
  action: `guardrail.${string}`,
  guardrail: { id: string; name: string; workspaceId: string },
  moved: readonly object[],
  names: readonly string[],
): Promise<void> {
  const target = { type: "guardrail", id: guardrail.id, name: guardrail.name };
  await recordChange(db, context, { action, target, workspaceId: guardrail.workspaceId, before: moved, after: names });
}
