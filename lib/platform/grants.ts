import type { Permission } from "./permissions";

/** What a caller may do: permissions for the whole organization, and those for single workspaces. */
export interface Grants {
  readonly organization: ReadonlySet<Permission>;
  /** By workspace id. */
  readonly workspaces: ReadonlyMap<string, ReadonlySet<Permission>>;
}

export const NO_GRANTS: Grants = { organization: new Set(), workspaces: new Map() };

interface Holder {
  readonly grants: Grants;
}

/** Workspaces that a caller may reach: all of the organization, or those with these ids. */
export type Workspaces = "all" | readonly string[];

/** True when the caller has the permission for the whole organization. */
export const holds = ({ grants }: Holder, permission: Permission): boolean => grants.organization.has(permission);

/** Returns the workspaces in which the caller has the permission. */
export function workspacesWith({ grants }: Holder, permission: Permission): Workspaces {
  if (grants.organization.has(permission)) return "all";
  return [...grants.workspaces].flatMap(([id, permissions]) => (permissions.has(permission) ? [id] : []));
}

/** True when the caller has the permission for the organization or in any workspace. */
export const holdsSomewhere = (holder: Holder, permission: Permission): boolean =>
  workspacesWith(holder, permission).length > 0;

interface Demand {
  permission?: Permission;
  byWorkspace?: true;
}

/** True when the caller has the permission that an operation requires, with `byWorkspace` in any workspace. */
export const permits = (holder: Holder, { permission, byWorkspace }: Demand): boolean =>
  permission === undefined || (byWorkspace ? holdsSomewhere : holds)(holder, permission);

export const includesWorkspace = (workspaces: Workspaces, id: string): boolean =>
  workspaces === "all" || workspaces.includes(id);

/** Returns the workspaces of both. */
export const inBoth = (a: Workspaces, b: Workspaces): Workspaces =>
  a === "all" ? b : a.filter((id) => includesWorkspace(b, id));
