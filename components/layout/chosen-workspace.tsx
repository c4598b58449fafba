"use client";
import { usePathname } from "next/navigation";
import { useQueryState } from "nuqs";
import { parseAsString } from "nuqs/server";
import { createContext, use, useState, type ReactNode } from "react";
import { DESTINATIONS } from "./navigation";

const ChosenWorkspace = createContext<string | null>(null);

/** The id of the workspace that the console looks at; null: none in particular. */
export const useChosenWorkspace = (): string | null => use(ChosenWorkspace);

/** The URL says it. A page of one record may leave it out: then it is the one that the list before it had. */
export function ChosenWorkspaceProvider({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const [inUrl] = useQueryState("workspace", parseAsString);
  const [chosen, setChosen] = useState(inUrl);
  const isDecided = inUrl !== null || DESTINATIONS.some(({ href }) => href === pathname);
  if (isDecided && chosen !== inUrl) setChosen(inUrl);
  return <ChosenWorkspace value={chosen}>{children}</ChosenWorkspace>;
}
