import type { Grants } from "../../platform/grants";
import { holds } from "../../platform/grants";
import { PERMISSIONS, WORKSPACE_PERMISSIONS, type Permission } from "../../platform/permissions";
import { BUILT_IN_ROLES } from "./vocabulary";

/** Names of built-in roles in the database. */
export type RoleColumn = "owner" | "admin" | "policy_editor" | "member" | "analyst" | "auditor" | "billing";

/** A role as stored: a custom one by its permissions, or a built-in one by its name. */
export interface StoredRole {
  role: RoleColumn | null;
  /** Null for a built-in role. */
  permissions: readonly string[] | null;
}

/** A role that somebody has, for the organization or a workspace. */
export interface HeldRole extends StoredRole {
  workspace: string | null;
}

const isPermission = (name: string): name is Permission => Object.hasOwn(PERMISSIONS, name);

/** Returns the permissions of a stored role. Another release may have stored permissions that this one doesn't know. */
export function permissionsOf({ role, permissions }: StoredRole): readonly Permission[] {
  if (permissions) return permissions.filter(isPermission);
  return role === null ? [] : BUILT_IN_ROLES[`org:${role}`].permissions;
}

/** Adds up roles. A role in a workspace gives only permissions for workspaces. */
export function grantsOf(held: readonly HeldRole[]): Grants {
  const organization = new Set<Permission>();
  const workspaces = new Map<string, Set<Permission>>();
  for (const { workspace, ...role } of held) {
    const given = permissionsOf(role);
    if (workspace === null) for (const permission of given) organization.add(permission);
    else {
      const there = workspaces.get(workspace) ?? new Set();
      workspaces.set(workspace, there);
      for (const permission of given) if (WORKSPACE_PERMISSIONS.includes(permission)) there.add(permission);
    }
  }
  return { organization, workspaces };
}

interface Holder {
  grants: Grants;
}

/** Returns the first permission of `given` that the holder lacks, and so can't give to anybody; null if there is none. */
export function firstMissing(holder: Holder, given: Grants): Permission | null {
  for (const permission of given.organization) if (!holds(holder, permission)) return permission;
  for (const [workspace, permissions] of given.workspaces)
    for (const permission of permissions)
      if (!holds(holder, permission) && !holder.grants.workspaces.get(workspace)?.has(permission)) return permission;
  return null;
}
