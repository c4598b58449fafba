import "server-only";
import { Prisma, type Group } from "../../../prisma/generated/client";
import { invalid, notFound } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { ScimContext } from "../../platform/context";
import { literal } from "../../platform/database/literal";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { uuidv7 } from "../../platform/ids";
import { projection, type Projection } from "./attributes";
import type * as contract from "./contract";
import { groupFilter } from "./filter-rows";
import {
  changedGroupFields,
  groupFields,
  membersChange,
  wholeMembers,
  type GroupFields,
  type MembersChange,
} from "./group-fields";
import { changedAttributes, stepsOfPatch } from "./patch";
import { assertVersion, entityTagOf, groupUrl, groupVersion, nextChange, pageOf, toGroup, toList } from "./rows";
import { scimError } from "./scim-error";
import { lockOrganization } from "../organization/lock-store";

/** Members that a page of groups shows, at most; a page with more of them has fewer groups. */
const MAX_MEMBERS_OF_PAGE = 20_000;
/** Ids of changed members in an audit event, at most. */
const MAX_AUDITED = 100;

/** The groups that directories provision. */
const provisioned = ({ caller }: ScimContext) => ({ organizationId: caller.organizationId, source: "scim" }) as const;

async function findGroup(db: Database, context: ScimContext, id: string): Promise<Group> {
  const row = await db.group.findFirst({ where: { ...provisioned(context), id } });
  if (!row) throw notFound();
  return row;
}

/**
 * Locks the organization, as every change of its groups, their members and removals of members do, and returns the group. Throws a 412
 * unless the request is about its current version.
 */
async function lockGroup(db: Database, context: ScimContext, id: string): Promise<Group> {
  await lockOrganization(db, context.caller.organizationId);
  const row = await findGroup(db, context, id);
  assertVersion(context, groupVersion(row));
  return row;
}

/** Loads the members of groups by group. */
async function membersOf(db: Database, { caller }: ScimContext, ids: readonly string[]) {
  const rows = await db.groupMember.findMany({
    where: { groupId: { in: [...ids] }, group: { organizationId: caller.organizationId }, member: { deletedAt: null } },
    select: { groupId: true, member: { select: { id: true, email: true } } },
    orderBy: [{ groupId: "asc" }, { memberId: "asc" }],
  });
  const byGroup = new Map<string, { id: string; email: string }[]>(ids.map((id) => [id, []]));
  for (const { groupId, member } of rows) byGroup.get(groupId)?.push(member);
  return byGroup;
}

async function toResources(db: Database, context: ScimContext, rows: readonly Group[], projected: Projection) {
  const members = projected.wants("members")
    ? await membersOf(
        db,
        context,
        rows.map(({ id }) => id),
      )
    : null;
  return rows.map((row) => projected.of(toGroup(context, row, members?.get(row.id) ?? null)));
}

/** Sets the headers of a single group, and converts it. */
async function respond(db: Database, context: ScimContext, row: Group, projected: Projection) {
  context.headers.set("etag", entityTagOf(groupVersion(row)));
  const [resource] = await toResources(db, context, [row], projected);
  return resource ?? toGroup(context, row, null);
}

/** Returns the first groups that together have few enough members to show, and at least one. */
function withinBound<T extends { _count: { members: number } }>(rows: readonly T[]): T[] {
  let members = 0;
  return rows.filter((row, index) => {
    members += row._count.members;
    return index === 0 || members <= MAX_MEMBERS_OF_PAGE;
  });
}

export async function list(
  context: ScimContext,
  { query }: Input<typeof contract.listGroups>,
): Promise<Result<typeof contract.listGroups>> {
  const { db } = context;
  const projected = projection("Group", query);
  const where: Prisma.GroupWhereInput = { AND: [provisioned(context), groupFilter(query.filter)] };
  const { startIndex, skip, take } = pageOf(query);
  const found =
    take === 0
      ? []
      : await db.group.findMany({
          where,
          include: { _count: { select: { members: true } } },
          orderBy: [{ createdAt: "asc" }, { id: "asc" }],
          skip,
          take,
        });
  const rows = projected.wants("members") ? withinBound(found) : found;
  const total = await db.group.count({ where });
  return toList(await toResources(db, context, rows, projected), total, startIndex);
}

export async function get(
  context: ScimContext,
  { params, query }: Input<typeof contract.getGroup>,
): Promise<Result<typeof contract.getGroup>> {
  const row = await findGroup(context.db, context, params.id);
  return respond(context.db, context, row, projection("Group", query));
}

/** A name, in any case, belongs to one group of the organization, also of those that admins created. */
async function assertFree(db: Database, { caller }: ScimContext, name: string, ownId?: string): Promise<void> {
  const { organizationId } = caller;
  const other = await db.group.findFirst({
    where: {
      organizationId,
      name: { equals: literal(name), mode: "insensitive" },
      ...(ownId && { id: { not: ownId } }),
    },
    select: { source: true },
  });
  if (!other) return;
  const detail =
    other.source === "scim"
      ? `A group named ${name} already exists`
      : `An admin created a group named ${name}. Rename it or the directory's group`;
  throw scimError(409, "uniqueness", detail);
}

/**
 * Returns the ids of members who weren't removed: a directory lists a user whom an admin removed until it notices. Throws a 400 for ids
 * that never were members.
 */
async function livingAmong(db: Database, { caller }: ScimContext, ids: readonly string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string; is_living: boolean }[]>`
    SELECT id, deleted_at IS NULL AS is_living FROM members
    WHERE id = ANY(${ids}::text[]) AND organization_id = ${caller.organizationId}::uuid`;
  const known = new Set(rows.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw invalid(unknown.map((id) => ({ path: ["members"], message: `${id} is not a user`, code: "custom" })));
  return rows.flatMap(({ id, is_living }) => (is_living ? [id] : []));
}

interface Changed {
  added: string[];
  removed: string[];
}

/** Adds and removes members; returns those that changed. */
async function changeMembers(
  db: Database,
  context: ScimContext,
  { id: groupId }: Group,
  { isWhole, add, remove }: MembersChange,
): Promise<Changed> {
  const wanted = await livingAmong(db, context, [...add]);
  const leaving = isWhole
    ? Prisma.sql`member_id NOT IN (SELECT unnest(${wanted}::text[]))`
    : Prisma.sql`member_id = ANY(${[...remove]}::text[])`;
  const left = await db.$queryRaw<{ member_id: string }[]>`
    DELETE FROM group_members WHERE group_id = ${groupId}::uuid AND ${leaving} RETURNING member_id`;
  const joined = await db.$queryRaw<{ member_id: string }[]>`
    INSERT INTO group_members (group_id, member_id, created_at)
    SELECT ${groupId}::uuid, unnest(${wanted}::text[]), ${context.now}::timestamptz ON CONFLICT DO NOTHING RETURNING member_id`;
  const idsOf = (rows: { member_id: string }[]) => rows.map(({ member_id }) => member_id).sort();
  return { added: idsOf(joined), removed: idsOf(left) };
}

const target = ({ id, name }: Group) => ({ type: "group", id, name });
const audited = ({ name, externalId }: Group) => ({ name, external_id: externalId });
const auditedMembers = ({ added, removed }: Changed) => ({
  ...(added.length > 0 && { members_added: added.length, added: added.slice(0, MAX_AUDITED) }),
  ...(removed.length > 0 && { members_removed: removed.length, removed: removed.slice(0, MAX_AUDITED) }),
});

export async function create(
  context: ScimContext,
  { query, body }: Input<typeof contract.createGroup>,
): Promise<Result<typeof contract.createGroup>> {
  const { now } = context;
  const { name, externalId, memberIds } = groupFields(body);
  return inTransaction(context.db, async (db) => {
    await lockOrganization(db, context.caller.organizationId);
    await assertFree(db, context, name);
    const row = await db.group.create({
      data: { id: uuidv7(now), ...provisioned(context), name, externalId: externalId ?? null, createdAt: now },
    });
    const changed = await changeMembers(db, context, row, wholeMembers(memberIds ?? []));
    await recordChange(db, context, {
      action: "group.create",
      target: target(row),
      after: { ...audited(row), ...auditedMembers(changed) },
    });
    context.headers.set("location", groupUrl(context, row.id));
    return respond(db, context, row, projection("Group", query));
  });
}

/** Writes what a directory says about a locked group; returns the row after it. */
async function change(
  db: Database,
  context: ScimContext,
  before: Group,
  { name = before.name, externalId = before.externalId }: Omit<GroupFields, "memberIds">,
  members: MembersChange | null,
): Promise<Group> {
  if (name !== before.name) await assertFree(db, context, name, before.id);
  const changed = members ? await changeMembers(db, context, before, members) : { added: [], removed: [] };
  const isChanged =
    name !== before.name || externalId !== before.externalId || changed.added.length + changed.removed.length > 0;
  if (!isChanged) return before;
  const row = await db.group.update({
    where: { id: before.id },
    data: { name, externalId, updatedAt: nextChange(before, context.now) },
  });
  await recordChange(db, context, {
    action: "group.update",
    target: target(row),
    before: audited(before),
    after: { ...audited(row), ...auditedMembers(changed) },
  });
  return row;
}

export async function replace(
  context: ScimContext,
  { params, query, body }: Input<typeof contract.replaceGroup>,
): Promise<Result<typeof contract.replaceGroup>> {
  const fields = groupFields(body);
  return inTransaction(context.db, async (db) => {
    const before = await lockGroup(db, context, params.id);
    const members = fields.memberIds ? wholeMembers(fields.memberIds) : null;
    const row = await change(db, context, before, fields, members);
    return respond(db, context, row, projection("Group", query));
  });
}

export async function patch(
  context: ScimContext,
  { params, body }: Input<typeof contract.patchGroup>,
): Promise<undefined> {
  const steps = stepsOfPatch("Group", body.Operations);
  const members = membersChange(steps.filter(({ path }) => path.attribute === "members"));
  const fields = changedGroupFields(changedAttributes(steps.filter(({ path }) => path.attribute !== "members")));
  return inTransaction(context.db, async (db) => {
    const before = await lockGroup(db, context, params.id);
    const row = await change(db, context, before, fields, members);
    context.headers.set("etag", entityTagOf(groupVersion(row)));
    return undefined;
  });
}

export async function remove(context: ScimContext, { params }: Input<typeof contract.deleteGroup>): Promise<undefined> {
  return inTransaction(context.db, async (db) => {
    const row = await lockGroup(db, context, params.id);
    await db.group.delete({ where: { id: row.id } });
    await recordChange(db, context, { action: "group.delete", target: target(row), before: audited(row) });
    return undefined;
  });
}
