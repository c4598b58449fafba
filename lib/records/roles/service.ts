import "server-only";
import type { CustomRole } from "../../../prisma/generated/client";
import { conflict, fieldConflict, notFound } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { count } from "../../platform/count";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { uuidv7 } from "../../platform/ids";
import { assertCovers } from "./assign-store";
import type * as contract from "./contract";
import { grantsOf, type RoleColumn } from "./grants";
import { toAuditedRole, toBuiltInRole, toReference, toRole } from "./rows";
import { isBuiltIn, MOST_ROLES, ROLES } from "./vocabulary";
import { lockOrganization } from "../organization/lock-store";

const target = ({ id, name }: CustomRole) => ({ type: "role", id, name });

async function findRole(db: Database, { caller }: Context, id: string): Promise<CustomRole> {
  const row = await db.customRole.findFirst({ where: { id, organizationId: caller.organizationId } });
  if (!row) throw notFound();
  return row;
}

type Holder = "members" | "groups" | "keys" | "workspace_roles";

/** Who has a role, by kind. */
type Holders = Partial<Record<Holder, number>>;

interface HolderRow {
  holder: Holder;
  role: RoleColumn | null;
  custom_role_id: string | null;
  total: number;
}

/** Counts who has each role. A management key without one counts for none. */
async function countHolders(db: Database, { caller }: Context): Promise<ReadonlyMap<string, Holders>> {
  const { organizationId } = caller;
  const rows = await db.$queryRaw<HolderRow[]>`
    SELECT holder, role::text, custom_role_id::text, count(*)::int AS total FROM (
      SELECT 'members' AS holder, role, custom_role_id FROM members WHERE organization_id = ${organizationId}::uuid AND deleted_at IS NULL
      UNION ALL
      SELECT 'groups', role, custom_role_id FROM groups WHERE organization_id = ${organizationId}::uuid
      UNION ALL
      SELECT 'keys', role, custom_role_id FROM keys WHERE organization_id = ${organizationId}::uuid AND deleted_at IS NULL
      UNION ALL
      SELECT 'workspace_roles', w.role, w.custom_role_id FROM workspace_roles w JOIN workspaces ON workspaces.id = w.workspace_id
      LEFT JOIN members ON members.id = w.member_id LEFT JOIN keys ON keys.id = w.key_id
      WHERE w.organization_id = ${organizationId}::uuid
        AND workspaces.deleted_at IS NULL AND members.deleted_at IS NULL AND keys.deleted_at IS NULL
    ) AS held GROUP BY holder, role, custom_role_id`;
  const counts = new Map<string, Holders>();
  for (const { holder, role, custom_role_id, total } of rows) {
    const reference = toReference({ role, customRoleId: custom_role_id });
    if (reference !== null) counts.set(reference, { ...counts.get(reference), [holder]: total });
  }
  return counts;
}

const NOBODY: Record<Holder, number> = { members: 0, groups: 0, keys: 0, workspace_roles: 0 };

const total = (holders: Holders = {}): number => Object.values(holders).reduce((sum, number) => sum + number, 0);

export async function list(context: Context): Promise<Result<typeof contract.listRoles>> {
  const { db, caller } = context;
  const rows = await db.customRole.findMany({
    where: { organizationId: caller.organizationId },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
  const counts = await countHolders(db, context);
  return {
    data: [
      ...ROLES.map((slug) => toBuiltInRole(slug, total(counts.get(slug)))),
      ...rows.map((row) => toRole(row, total(counts.get(row.id)))),
    ],
  };
}

export async function get(
  context: Context,
  { params: { id } }: Input<typeof contract.getRole>,
): Promise<Result<typeof contract.getRole>> {
  const row = isBuiltIn(id) ? null : await findRole(context.db, context, id);
  const holders = total((await countHolders(context.db, context)).get(id));
  if (row) return { data: toRole(row, holders) };
  if (!isBuiltIn(id)) throw notFound();
  return { data: toBuiltInRole(id, holders) };
}

/** Throws a 403 if the caller lacks a permission of the role. */
const assertOwnPermissions = (context: Context, permissions: readonly string[]) =>
  assertCovers(context, grantsOf([{ role: null, permissions, workspace: null }]));

async function assertNameFree(db: Database, { caller }: Context, name: string, ownId: string): Promise<void> {
  const taken = { organizationId: caller.organizationId, name, id: { not: ownId } };
  if (await db.customRole.findFirst({ where: taken, select: { id: true } }))
    throw fieldConflict("name", `A role named ${name} already exists`);
}

export async function create(
  context: Context,
  { body }: Input<typeof contract.createRole>,
): Promise<Result<typeof contract.createRole>> {
  assertOwnPermissions(context, body.permissions);
  const { now, caller } = context;
  const { organizationId } = caller;
  return inTransaction(context.db, async (db) => {
    await lockOrganization(db, context.caller.organizationId);
    const id = uuidv7(now);
    await assertNameFree(db, context, body.name, id);
    if ((await db.customRole.count({ where: { organizationId } })) >= MOST_ROLES)
      throw conflict(`An organization can have at most ${MOST_ROLES} custom roles. Delete one first`);
    const row = await db.customRole.create({ data: { ...body, id, organizationId, createdAt: now } });
    await recordChange(db, context, { action: "role.create", target: target(row), after: toAuditedRole(row) });
    return { data: toRole(row, 0) };
  });
}

/** Changes a role whose permissions, the former and the new ones, the caller has. */
export async function update(
  context: Context,
  { params, body }: Input<typeof contract.updateRole>,
): Promise<Result<typeof contract.updateRole>> {
  return inTransaction(context.db, async (db) => {
    await lockOrganization(db, context.caller.organizationId);
    const before = await findRole(db, context, params.id);
    assertOwnPermissions(context, [...toAuditedRole(before).permissions, ...(body.permissions ?? [])]);
    if (body.name !== undefined) await assertNameFree(db, context, body.name, before.id);
    const row = await db.customRole.update({ where: { id: before.id }, data: { ...body, updatedAt: context.now } });
    await recordChange(db, context, {
      action: "role.update",
      target: target(row),
      before: toAuditedRole(before),
      after: toAuditedRole(row),
    });
    return { data: toRole(row, total((await countHolders(db, context)).get(row.id))) };
  });
}

/** Deletes a role that nobody has. Removed members and keys no longer have roles. */
export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteRole>,
): Promise<Result<typeof contract.deleteRole>> {
  return inTransaction(context.db, async (db) => {
    await lockOrganization(db, context.caller.organizationId);
    const before = await findRole(db, context, params.id);
    assertOwnPermissions(context, toAuditedRole(before).permissions);
    const holders = { ...NOBODY, ...(await countHolders(db, context)).get(before.id) };
    const parts = [
      count(holders.members, "member"),
      count(holders.groups, "group"),
      count(holders.keys, "key"),
      count(holders.workspace_roles, "workspace role"),
    ];
    if (total(holders) > 0)
      throw conflict(`The role is in use (${parts.join(", ")}). Give them another one first`, { holders });
    await db.customRole.delete({ where: { id: before.id } });
    await recordChange(db, context, { action: "role.delete", target: target(before), before: toAuditedRole(before) });
    return { deleted: true as const };
  });
}
