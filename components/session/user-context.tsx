"use client";
import { createContext, use } from "react";

/** Who is signed in, as the server found them before the page was shown. */
export interface SignedInUser {
  name: string;
  isAdmin: boolean;
}

export const UserContext = createContext<SignedInUser>({ name: "", isAdmin: false });

export const useUser = (): SignedInUser => use(UserContext);
