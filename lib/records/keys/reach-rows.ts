import "server-only";
import type { Prisma } from "../../../prisma/generated/client";
import { ownOnly, type Caller, type Context } from "../../platform/context";
import { workspacesWith } from "../../platform/grants";
import type { Permission } from "../../platform/permissions";

export type KeyPermission = Extract<Permission, "keys:read" | "keys:write">;

const ofOrganization = ({ organizationId }: Caller) => ({ organizationId, deletedAt: null });

/**
 * Filters the keys for which the caller has the permission: all of the organization, or inference keys of workspaces.
 * Management keys belong to the organization.
 */
export function permittedKeys({ caller }: Context, permission: KeyPermission): Prisma.KeyWhereInput {
  const workspaces = workspacesWith(caller, permission);
  if (workspaces === "all") return ofOrganization(caller);
  return { ...ofOrganization(caller), workspaceId: { in: [...workspaces] }, kind: "inference" };
}

/** Filters the keys that the caller reaches: those for which they have the permission, and those that a member created. */
export function reachedKeys(context: Context, permission: KeyPermission): Prisma.KeyWhereInput {
  const { caller } = context;
  const permitted = permittedKeys(context, permission);
  if (!ownOnly(caller, permission)) return permitted;
  return { ...ofOrganization(caller), OR: [permitted, { creatorUserId: caller.userId }] };
}
