"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown, Layers } from "lucide-react";
import { usePathname } from "next/navigation";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { Menu, MenuLabel, MenuRadioGroup, MenuRadioItem } from "@/components/ui/menu";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import { usePageRouter } from "@/lib/browser/page-router";
import { useChosenWorkspace } from "./chosen-workspace";
import { DESTINATIONS, inWorkspace, isCurrent } from "./navigation";

const EVERY = "every";

/** Workspace switcher. Choosing one opens the section's list, because records belong to one workspace. */
export function WorkspaceSwitcher({ isCollapsed = false, onChoose }: { isCollapsed?: boolean; onChoose?: () => void }) {
  const { data: workspaces = [] } = useQuery({ ...workspacesQuery, select: ({ data }) => data });
  const chosen = useChosenWorkspace();
  const pathname = usePathname();
  const router = usePageRouter();
  const defaultWorkspace = workspaces.find(({ is_default }) => is_default);
  const name =
    workspaces.find(({ id }) => id === chosen)?.name ??
    (workspaces.length > 1 ? "All workspaces" : (defaultWorkspace?.name ?? "Workspace"));
  const choose = (value: string) => {
    const section = DESTINATIONS.find((destination) => isCurrent(destination, pathname));
    router.push(inWorkspace(section?.href ?? "/", value === EVERY ? null : value));
    onChoose?.();
  };
  const trigger = (
    <Button
      aria-label={`Workspace: ${name}`}
      size={isCollapsed ? "icon" : "md"}
      className={cn("shadow-none", !isCollapsed && "justify-start")}
    >
      <Layers aria-hidden className="text-muted" />
      {!isCollapsed && (
        <>
          <span className="min-w-0 flex-1 truncate text-left font-normal">{name}</span>
          <ChevronsUpDown aria-hidden className="text-muted" />
        </>
      )}
    </Button>
  );
  return (
    <Menu trigger={trigger} align="start">
      <MenuLabel>Workspace</MenuLabel>
      <MenuRadioGroup value={chosen ?? EVERY} onValueChange={choose} className="max-h-80 max-w-72 overflow-y-auto">
        <MenuRadioItem value={EVERY}>
          <span className="grid">
            All workspaces
            {defaultWorkspace && (
              <span className="text-xs text-muted">New guardrails and presets: {defaultWorkspace.name}</span>
            )}
          </span>
        </MenuRadioItem>
        {workspaces.map(({ id, name: label }) => (
          <MenuRadioItem key={id} value={id}>
            <span className="truncate">{label}</span>
          </MenuRadioItem>
        ))}
      </MenuRadioGroup>
    </Menu>
  );
}
