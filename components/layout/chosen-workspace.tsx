"use client";
import { usePathname } from "next/navigation";
import { useQueryState } from "nuqs";
import { parseAsString } from "nuqs/server";
import { createContext, use, useState, type ReactNode } from "react";
import { DESTINATIONS } from "./navigation";

const ChosenWorkspace = createContext<string | null>(null);

/** ID of the selected workspace; null for all. */
export const useChosenWorkspace = (): string | null => use(ChosenWorkspace);

/** Takes the workspace from the URL. Detail pages may omit it; the last list's workspace then applies. */
export function ChosenWorkspaceProvider({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const [inUrl] = useQueryState("workspace", parseAsString);
  const [chosen, setChosen] = useState(inUrl);
  const isDecided = inUrl !== null || DESTINATIONS.some(({ href }) => href === pathname);
  if (isDecided && chosen !== inUrl) setChosen(inUrl);
  return <ChosenWorkspace value={chosen}>{children}</ChosenWorkspace>;
}
