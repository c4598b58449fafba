import "server-only";
import { Prisma } from "../../../prisma/generated/client";

const { sql } = Prisma;

/**
 * SQL for members `o` who are active and could sign in at some time: with a password, also if it was reset since, or through an
 * identity provider.
 */
const IS_ESTABLISHED = sql`o.deleted_at IS NULL AND o.deactivated_at IS NULL
    AND (o.password_hash IS NOT NULL OR o.password_reset_at IS NOT NULL OR o.provider_sign_in_at IS NOT NULL)`;

/**
 * SQL for a role for the organization. Until an organization has an owner who could sign in, its admins count as owners. Every
 * organization is in this state after the update: no migration makes owners, because servers of the previous release can't
 * read that role. A reset of the only owner's password doesn't make owners of the admins.
 */
const orOwner = (
  role: Prisma.Sql,
  organizationId: Prisma.Sql,
): Prisma.Sql => sql`CASE WHEN ${role} = 'admin' AND NOT EXISTS (
    SELECT FROM members o WHERE o.organization_id = ${organizationId} AND o.role = 'owner' AND o.custom_role_id IS NULL AND ${IS_ESTABLISHED}
  ) THEN 'owner' ELSE ${role} END AS role`;

/** SQL for the roles of a member: their own and those of their groups, for the organization and for workspaces. */
export const rolesOfMember = (memberId: Prisma.Sql): Prisma.Sql => sql`
  SELECT ${orOwner(sql`m.role`, sql`m.organization_id`)}, m.custom_role_id, NULL::uuid AS group_id, NULL::uuid AS workspace_id FROM members m WHERE m.id = ${memberId}
  UNION ALL
  SELECT g.role, g.custom_role_id, g.id, NULL FROM group_members gm JOIN groups g ON g.id = gm.group_id WHERE gm.member_id = ${memberId}
  UNION ALL
  SELECT w.role, w.custom_role_id, NULL, w.workspace_id FROM workspace_roles w WHERE w.member_id = ${memberId}
  UNION ALL
  SELECT w.role, w.custom_role_id, w.group_id, w.workspace_id FROM workspace_roles w JOIN group_members gm ON gm.group_id = w.group_id
  WHERE gm.member_id = ${memberId}`;

/** SQL for the roles of a management key. Without a role for the organization, it has an admin's permissions. */
export const rolesOfKey = (keyId: Prisma.Sql): Prisma.Sql => sql`
  SELECT ${orOwner(sql`coalesce(k.role, 'admin')`, sql`k.organization_id`)}, k.custom_role_id, NULL::uuid AS group_id, NULL::uuid AS workspace_id FROM keys k
  WHERE k.id = ${keyId} AND k.kind = 'management'
  UNION ALL
  SELECT w.role, w.custom_role_id, NULL, w.workspace_id FROM workspace_roles w WHERE w.key_id = ${keyId}`;

/** SQL for the roles of a group. */
export const rolesOfGroup = (groupId: Prisma.Sql): Prisma.Sql => sql`
  SELECT g.role, g.custom_role_id, g.id AS group_id, NULL::uuid AS workspace_id FROM groups g WHERE g.id = ${groupId}
  UNION ALL
  SELECT w.role, w.custom_role_id, w.group_id, w.workspace_id FROM workspace_roles w WHERE w.group_id = ${groupId}`;

/** SQL for a JSON array of `HeldRole`, without those in deleted workspaces. */
export const heldRoles = (roles: Prisma.Sql): Prisma.Sql => sql`(
  SELECT coalesce(json_agg(json_build_object('role', held.role, 'permissions', custom_roles.permissions, 'workspace', held.workspace_id)), '[]')
  FROM (${roles}) AS held LEFT JOIN custom_roles ON custom_roles.id = held.custom_role_id
  LEFT JOIN workspaces ON workspaces.id = held.workspace_id WHERE workspaces.deleted_at IS NULL)`;
