"use client";
import { createContext, use, useState, type ReactNode } from "react";
import { FOLDED_GROUPS_COOKIE, rememberPreference } from "@/lib/browser/preferences";
import type { DestinationGroup } from "./navigation";

type GroupId = DestinationGroup["id"];

/** Folded until a user unfolds it. */
const FOLDED_AT_FIRST: GroupId = "more";

interface FoldedGroups {
  isFolded: (id: GroupId) => boolean;
  toggle: (id: GroupId) => void;
}

const FoldedGroupsContext = createContext<FoldedGroups>({ isFolded: () => false, toggle: () => undefined });

/** The folded groups of the sidebar and of the menu on a phone. */
export const useFoldedGroups = (): FoldedGroups => use(FoldedGroupsContext);

interface FoldedGroupsProviderProps {
  /** Value of the cookie. */
  remembered: string | undefined;
  children: ReactNode;
}

export function FoldedGroupsProvider({ remembered = FOLDED_AT_FIRST, children }: FoldedGroupsProviderProps) {
  const [folded, setFolded] = useState<readonly string[]>(() => remembered.split("."));
  const toggle = (id: GroupId) => {
    const next = folded.includes(id) ? folded.filter((other) => other !== id) : [...folded, id];
    rememberPreference(FOLDED_GROUPS_COOKIE, next.join("."));
    setFolded(next);
  };
  return (
    <FoldedGroupsContext value={{ isFolded: (id) => folded.includes(id), toggle }}>{children}</FoldedGroupsContext>
  );
}
