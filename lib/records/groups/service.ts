import "server-only";
import type { Prisma } from "../../../prisma/generated/client";
import { conflict, fieldConflict, invalid, notFound } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { literal } from "../../platform/database/literal";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake, sortOrder } from "../../platform/http/pagination";
import { uuidv7 } from "../../platform/ids";
import { toProfile } from "../members/rows";
import { assertAssignable, assertCovers, loadGrants, setWorkspaceRoles } from "../roles/assign-store";
import type * as contract from "./contract";
import { groupParts, toAuditedGroup, toColumns, toGroup, type GroupWithParts } from "./rows";
import { MOST_GROUPS } from "./vocabulary";
import { lockOrganization } from "../organization/lock-store";

const target = ({ id, name }: { id: string; name: string }) => ({ type: "group", id, name });

async function findGroup(db: Database, { caller }: Context, id: string): Promise<GroupWithParts> {
  const row = await db.group.findFirst({ where: { id, organizationId: caller.organizationId }, include: groupParts });
  if (!row) throw notFound();
  return row;
}

/** Locks and returns a group whose permissions the caller has, because every change gives them to or takes them from somebody. */
async function lockGroup(db: Database, context: Context, id: string): Promise<GroupWithParts> {
  await lockOrganization(db, context.caller.organizationId);
  const row = await findGroup(db, context, id);
  assertCovers(context, await loadGrants(db, { groupId: row.id }));
  return row;
}

async function assertNameFree(db: Database, { caller }: Context, name: string, ownId: string): Promise<void> {
  const taken = { organizationId: caller.organizationId, name, id: { not: ownId } };
  if (await db.group.findFirst({ where: taken, select: { id: true } }))
    throw fieldConflict("name", `A group named ${name} already exists`);
}

const MEMBERS = "who its members are";

/** Rejects changes to what a directory decides. */
function assertManual({ source }: GroupWithParts, what: string): void {
  if (source === "scim") throw conflict(`The group comes from a directory, which decides ${what}. Change it there`);
}

export async function list(
  context: Context,
  { query }: Input<typeof contract.listGroups>,
): Promise<Result<typeof contract.listGroups>> {
  const where: Prisma.GroupWhereInput = {
    organizationId: context.caller.organizationId,
    ...(query.q && { name: { contains: literal(query.q), mode: "insensitive" } }),
  };
  const { field, direction } = sortOrder(query.sort ?? "-created_at");
  const orderBy = [{ [field === "created_at" ? "createdAt" : field]: direction }, { id: direction }];
  const rows = await context.db.group.findMany({ where, include: groupParts, orderBy, ...skipTake(query) });
  return { data: rows.map(toGroup), total_count: await context.db.group.count({ where }) };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getGroup>,
): Promise<Result<typeof contract.getGroup>> {
  return { data: toGroup(await findGroup(context.db, context, params.id)) };
}

export async function create(
  context: Context,
  { body }: Input<typeof contract.createGroup>,
): Promise<Result<typeof contract.createGroup>> {
  const { now, caller } = context;
  const { organizationId } = caller;
  return inTransaction(context.db, async (db) => {
    await lockOrganization(db, context.caller.organizationId);
    await assertAssignable(db, context, body);
    const id = uuidv7(now);
    await assertNameFree(db, context, body.name, id);
    if ((await db.group.count({ where: { organizationId, source: "manual" } })) >= MOST_GROUPS)
      throw conflict(`An organization can have at most ${MOST_GROUPS} groups. Delete one first`);
    await db.group.create({ data: { ...toColumns(body), name: body.name, id, organizationId, createdAt: now } });
    await setWorkspaceRoles(db, context, { groupId: id }, body.workspace_roles);
    const row = await findGroup(db, context, id);
    await recordChange(db, context, { action: "group.create", target: target(row), after: toAuditedGroup(row) });
    return { data: toGroup(row) };
  });
}

export async function update(
  context: Context,
  { params, body }: Input<typeof contract.updateGroup>,
): Promise<Result<typeof contract.updateGroup>> {
  return inTransaction(context.db, async (db) => {
    const before = await lockGroup(db, context, params.id);
    if (body.name !== undefined && body.name !== before.name) {
      assertManual(before, "its name");
      await assertNameFree(db, context, body.name, before.id);
    }
    if (body.claim_value && body.claim_value !== before.claimValue) assertManual(before, MEMBERS);
    await assertAssignable(db, context, body);
    await db.group.update({ where: { id: before.id }, data: { ...toColumns(body), updatedAt: context.now } });
    await setWorkspaceRoles(db, context, { groupId: before.id }, body.workspace_roles);
    const row = await findGroup(db, context, before.id);
    await recordChange(db, context, {
      action: "group.update",
      target: target(row),
      before: toAuditedGroup(before),
      after: toAuditedGroup(row),
    });
    return { data: toGroup(row) };
  });
}

export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteGroup>,
): Promise<Result<typeof contract.deleteGroup>> {
  return inTransaction(context.db, async (db) => {
    const before = await lockGroup(db, context, params.id);
    assertManual(before, "whether it exists");
    await db.group.delete({ where: { id: before.id } });
    await recordChange(db, context, { action: "group.delete", target: target(before), before: toAuditedGroup(before) });
    return { deleted: true as const };
  });
}

export async function listMembers(
  context: Context,
  { params, query }: Input<typeof contract.listGroupMembers>,
): Promise<Result<typeof contract.listGroupMembers>> {
  const where = { member: { deletedAt: null } };
  const group = await context.db.group.findFirst({
    where: { id: params.id, organizationId: context.caller.organizationId },
    select: {
      members: { where, include: { member: true }, orderBy: { member: { email: "asc" } }, ...skipTake(query) },
      _count: { select: { members: { where } } },
    },
  });
  if (!group) throw notFound();
  return { data: group.members.map(({ member }) => toProfile(member)), total_count: group._count.members };
}

/** Adds members. The lock of the organization lets a concurrent removal from it come before or after. */
export async function addMembers(
  context: Context,
  { params, body }: Input<typeof contract.addGroupMembers>,
): Promise<Result<typeof contract.addGroupMembers>> {
  const { caller, now } = context;
  return inTransaction(context.db, async (db) => {
    const group = await lockGroup(db, context, params.id);
    assertManual(group, MEMBERS);
    const found = await db.member.findMany({
      where: { id: { in: body.user_ids }, organizationId: caller.organizationId, deletedAt: null },
      select: { id: true },
    });
    const known = new Set(found.map(({ id }) => id));
    const unknown = body.user_ids.filter((id) => !known.has(id));
    if (unknown.length > 0)
      throw invalid([{ path: ["user_ids"], message: "contains unknown members", code: "custom" }], { unknown });
    const { count } = await db.groupMember.createMany({
      data: body.user_ids.map((memberId) => ({ groupId: group.id, memberId, createdAt: now })),
      skipDuplicates: true,
    });
    if (count > 0)
      await recordChange(db, context, {
        action: "group.add_members",
        target: target(group),
        after: { user_ids: body.user_ids },
      });
    return { added_count: count };
  });
}

export async function removeMembers(
  context: Context,
  { params, body }: Input<typeof contract.removeGroupMembers>,
): Promise<Result<typeof contract.removeGroupMembers>> {
  return inTransaction(context.db, async (db) => {
    const group = await lockGroup(db, context, params.id);
    assertManual(group, MEMBERS);
    const { count } = await db.groupMember.deleteMany({
      where: { groupId: group.id, memberId: { in: body.user_ids } },
    });
    if (count > 0)
      await recordChange(db, context, {
        action: "group.remove_members",
        target: target(group),
        before: { user_ids: body.user_ids },
      });
    return { removed_count: count };
  });
}
