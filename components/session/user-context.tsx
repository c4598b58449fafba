"use client";
import { createContext, use } from "react";
import type { Permission } from "@/lib/platform/permissions";

/** The signed-in user, as resolved on the server. */
export interface SignedInUser {
  name: string;
  /** Permissions for the organization or for any workspace. */
  permissions: readonly Permission[];
}

export const UserContext = createContext<SignedInUser>({ name: "", permissions: [] });

export const useUser = (): SignedInUser => use(UserContext);

/** True when the user has the permission, for the organization or for any workspace. The server decides about each object. */
export const useMay = (permission: Permission): boolean => useUser().permissions.includes(permission);
