import "server-only";
import type { Prisma } from "../../../prisma/generated/client";
import { roleNameOf, toReference, toRoleColumns, toWorkspaceRoles, workspaceRoleParts } from "../roles/rows";
import type { Group, UpdateGroupBody } from "./contract";

/** Relations of a group's API object. */
export const groupParts = {
  customRole: { select: { name: true } },
  workspaceRoles: workspaceRoleParts,
  _count: { select: { members: { where: { member: { deletedAt: null } } } } },
} as const satisfies Prisma.GroupInclude;
export type GroupWithParts = Prisma.GroupGetPayload<{ include: typeof groupParts }>;

/** Converts a row to its form in the audit log. */
export const toAuditedGroup = (row: GroupWithParts) => ({
  id: row.id,
  name: row.name,
  source: row.source,
  external_id: row.externalId,
  claim_value: row.claimValue,
  role: toReference(row),
  workspace_roles: toWorkspaceRoles(row.workspaceRoles),
});

export const toGroup = ({ role, ...row }: GroupWithParts): Group => ({
  ...toAuditedGroup({ role, ...row }),
  role_name: role === null ? null : roleNameOf({ role, customRole: row.customRole }),
  members: row._count.members,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt?.toISOString() ?? null,
});

/** Converts API fields to columns; missing fields stay missing. */
export const toColumns = ({ name, claim_value, role }: UpdateGroupBody) => ({
  name,
  claimValue: claim_value,
  ...(role === null ? { role, customRoleId: null } : role !== undefined && toRoleColumns(role)),
});
