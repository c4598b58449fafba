import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { forbidden, notFound } from "../../platform/api-error";
import type { Context } from "../../platform/context";
import type { Input, Result } from "../../platform/http/operation";
import { PERMISSION_NAMES, PERMISSIONS, WORKSPACE_PERMISSIONS } from "../../platform/permissions";
import { nameOf } from "../members/name";
import { permissionsOf, type StoredRole } from "../roles/grants";
import { rolesOfKey, rolesOfMember } from "../roles/held-store";
import { roleNameOf, toReference } from "../roles/rows";
import type * as contract from "./permissions-contract";

interface SourceRow extends StoredRole {
  custom_role_id: string | null;
  custom_name: string | null;
  group_id: string | null;
  group_name: string | null;
  workspace_id: string | null;
  workspace_name: string | null;
}

/** Returns the permissions of the caller: a member, or a management key. */
export async function getOwn(context: Context): Promise<Result<typeof contract.getAccountPermissions>> {
  const { caller } = context;
  if (caller.kind === "session") return held(context, { type: "member", id: caller.userId, name: caller.userName });
  if (caller.keyKind === "inference") throw forbidden();
  return held(context, { type: "key", id: caller.keyId, name: caller.keyName });
}

export async function getOfMember(
  context: Context,
  { params }: Input<typeof contract.getMemberPermissions>,
): Promise<Result<typeof contract.getMemberPermissions>> {
  const { organizationId } = context.caller;
  const member = await context.db.member.findFirst({ where: { id: params.user_id, organizationId, deletedAt: null } });
  if (!member) throw notFound();
  return held(context, { type: "member", id: member.id, name: nameOf(member) });
}

async function held({ db }: Context, subject: contract.HeldPermissions["subject"]) {
  const id = subject.type === "key" ? Prisma.sql`${subject.id}::uuid` : Prisma.sql`${subject.id}`;
  const rows = await db.$queryRaw<SourceRow[]>`
    SELECT held.role::text, held.custom_role_id::text, custom_roles.permissions, custom_roles.name AS custom_name,
      held.group_id::text, groups.name AS group_name, held.workspace_id::text, workspaces.name AS workspace_name
    FROM (${subject.type === "key" ? rolesOfKey(id) : rolesOfMember(id)}) AS held
    LEFT JOIN custom_roles ON custom_roles.id = held.custom_role_id
    LEFT JOIN groups ON groups.id = held.group_id
    LEFT JOIN workspaces ON workspaces.id = held.workspace_id
    WHERE workspaces.deleted_at IS NULL
    ORDER BY held.workspace_id NULLS FIRST, held.group_id NULLS FIRST`;
  const sources = rows.flatMap((row) => toSource(row) ?? []);
  const permissions = PERMISSION_NAMES.map((permission) => ({
    permission,
    description: PERMISSIONS[permission],
    sources: sources
      .filter(({ gives, source }) => gives.includes(permission) && (!source.workspace || isForWorkspace(permission)))
      .map(({ source }) => source),
  }));
  return { data: { subject, permissions } };
}

const isForWorkspace = (permission: (typeof PERMISSION_NAMES)[number]) => WORKSPACE_PERMISSIONS.includes(permission);

function toSource(row: SourceRow) {
  const { role, custom_role_id, custom_name, group_id, group_name, workspace_id, workspace_name } = row;
  if (role === null) return null;
  const source: contract.PermissionSource = {
    role: toReference({ role, customRoleId: custom_role_id }),
    role_name: roleNameOf({ role, customRole: custom_name === null ? null : { name: custom_name } }),
    group: group_id === null ? null : { id: group_id, name: group_name ?? "" },
    workspace: workspace_id === null ? null : { id: workspace_id, name: workspace_name ?? "" },
  };
  return { gives: permissionsOf(row), source };
}
