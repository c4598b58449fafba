"use client";
import { createContext, use } from "react";
import type { Permission } from "@/lib/platform/permissions";

/** The signed-in user, as resolved on the server. */
export interface SignedInUser {
  name: string;
  /** Permissions for the organization or for any workspace. */
  permissions: readonly Permission[];
  /** Permissions that the user has only in some workspaces; absent for none. */
  onlyInWorkspaces?: readonly Permission[];
}

export const UserContext = createContext<SignedInUser>({ name: "", permissions: [] });

export const useUser = (): SignedInUser => use(UserContext);

/** A permission that a user may have in any workspace, or an operation with the permission that it requires. */
export type Demand = Permission | { permission?: Permission; byWorkspace?: true };

/** The permissions that the user has for the organization. */
export const organizationPermissions = ({ permissions, onlyInWorkspaces = [] }: SignedInUser): readonly Permission[] =>
  permissions.filter((permission) => !onlyInWorkspaces.includes(permission));

/** True when the user meets the demand. The server decides about each object. */
export function meets(user: SignedInUser, demand: Demand): boolean {
  if (typeof demand === "string") return user.permissions.includes(demand);
  const { permission, byWorkspace } = demand;
  return (
    permission === undefined || (byWorkspace ? user.permissions : organizationPermissions(user)).includes(permission)
  );
}

export const useMay = (demand: Demand): boolean => meets(useUser(), demand);
