import "server-only";
import type { CustomRole, WorkspaceRole as WorkspaceRoleRow } from "../../../prisma/generated/client";
import type { Role, RoleReference, WorkspaceRole } from "./contract";
import { permissionsOf, type RoleColumn } from "./grants";
import { BUILT_IN_ROLES, isBuiltIn, type RoleSlug } from "./vocabulary";

/** Columns of a row that has a role. */
interface RoleColumns {
  role: RoleColumn | null;
  customRoleId: string | null;
}

const columnOf = (slug: RoleSlug) => slug.slice("org:".length) as RoleColumn;

export function toReference(columns: RoleColumns & { role: RoleColumn }): RoleReference;
export function toReference(columns: RoleColumns): RoleReference | null;
export function toReference({ role, customRoleId }: RoleColumns): RoleReference | null {
  return customRoleId ?? (role === null ? null : `org:${role}`);
}

/**
 * Converts a role to columns. A row with a custom role also has the built-in one with the fewest permissions, in case the
 * custom one is deleted.
 */
export const toRoleColumns = (reference: RoleReference) =>
  isBuiltIn(reference)
    ? { role: columnOf(reference), customRoleId: null }
    : { role: "member" as const, customRoleId: reference };

/** Filters rows that have a role. */
export const withRole = (reference: RoleReference) =>
  isBuiltIn(reference) ? { role: columnOf(reference), customRoleId: null } : { customRoleId: reference };

/** Returns a role's name. */
export const roleNameOf = ({ role, customRole }: { role: RoleColumn; customRole: { name: string } | null }): string =>
  customRole?.name ?? BUILT_IN_ROLES[`org:${role}`].name;

/** Workspace roles of an API object. */
export const workspaceRoleParts = {
  where: { workspace: { deletedAt: null } },
  orderBy: { createdAt: "asc" },
  select: { workspaceId: true, role: true, customRoleId: true },
} as const;

export const toWorkspaceRoles = (
  rows: readonly Pick<WorkspaceRoleRow, "workspaceId" | "role" | "customRoleId">[],
): WorkspaceRole[] =>
  rows.flatMap((row) => {
    const role = toReference(row);
    return role === null ? [] : [{ workspace_id: row.workspaceId, role }];
  });

/** Converts a custom role to its form in the audit log. */
export const toAuditedRole = (row: CustomRole) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  permissions: [...permissionsOf({ role: null, permissions: row.permissions })],
});

export const toRole = (row: CustomRole, holders: number): Role => ({
  ...toAuditedRole(row),
  is_built_in: false,
  holders,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt?.toISOString() ?? null,
});

export const toBuiltInRole = (id: RoleSlug, holders: number): Role => {
  const { name, description, permissions } = BUILT_IN_ROLES[id];
  return {
    id,
    name,
    description,
    permissions: [...permissions],
    is_built_in: true,
    holders,
    created_at: null,
    updated_at: null,
  };
};
