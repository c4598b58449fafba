import "server-only";
import type { Prisma } from "../../../prisma/generated/client";
import { reachOf, type Context } from "../../platform/context";
import type { Permission } from "../../platform/permissions";

export type KeyPermission = Extract<Permission, "keys:read" | "keys:write">;

/**
 * Filters the keys that the caller reaches: all of the organization, or inference keys of workspaces and the keys that a
 * member created. Management keys belong to the organization.
 */
export function reachedKeys({ caller }: Context, permission: KeyPermission): Prisma.KeyWhereInput {
  const { workspaces, userId } = reachOf(caller, permission);
  const all = { organizationId: caller.organizationId, deletedAt: null };
  if (workspaces === "all") return all;
  const own = userId === null ? [] : [{ creatorUserId: userId }];
  return { ...all, OR: [{ workspaceId: { in: [...workspaces] }, kind: "inference" }, ...own] };
}
