"use client";
import { createContext, use } from "react";

/** The signed-in user, as resolved on the server. */
export interface SignedInUser {
  name: string;
  isAdmin: boolean;
}

export const UserContext = createContext<SignedInUser>({ name: "", isAdmin: false });

export const useUser = (): SignedInUser => use(UserContext);
