"use client";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { describeFilter, isSet, type FilterDefinition } from "@/components/layout/filter-definition";
import { describeEnds } from "@/components/time-range/time-range";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Menu, MenuItem } from "@/components/ui/menu";
import { useWorkspaceNames } from "@/components/workspaces/workspace-queries";
import type { GenerationFilters } from "@/lib/records/generations/contract";
import type { FilterState } from "./generation-list-state";

const DeleteContentsDialog = lazyComponent(() =>
  import("./delete-contents-dialog").then((file) => file.DeleteContentsDialog),
);

interface DeleteContentsProps {
  filters: GenerationFilters;
  definitions: readonly FilterDefinition[];
  values: FilterState;
  /** In which the dialog shows times. */
  timeZone: string;
}

/** Every active filter with its full value, so that the user sees exactly what will be deleted. */
const describeFilters = (
  { from, to, workspace_id }: GenerationFilters,
  { definitions, values, timeZone }: Omit<DeleteContentsProps, "filters">,
  workspaces: ReadonlyMap<string, string>,
): string[] => [
  ...[workspace_id ?? []].flat().map((id) => `Workspace: ${workspaces.get(id) ?? id}`),
  ...(values.q?.trim() ? [`Text: ${values.q.trim()}`] : []),
  `Time: ${describeEnds({ from, to }, timeZone)}`,
  ...definitions.flatMap((definition) => {
    const value = values[definition.key as keyof FilterState];
    return isSet(value) ? [`${definition.label}: ${describeFilter(definition, value, Infinity)}`] : [];
  }),
];

/** Menu with bulk actions on all matching generations. */
export function DeleteContents({ filters, ...shown }: DeleteContentsProps) {
  const [confirming, setConfirming] = useState<GenerationFilters | null>(null);
  const workspaces = useWorkspaceNames(confirming !== null);
  // Generations recorded after this moment weren't on screen, so they are excluded.
  const ask = () => setConfirming({ ...filters, to: filters.to ?? new Date().toISOString() });
  return (
    <>
      <Menu
        trigger={
          <Button size="icon" aria-label="More actions">
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem isDestructive onSelect={ask}>
          Delete content…
        </MenuItem>
      </Menu>
      {confirming && (
        <DeleteContentsDialog
          filters={confirming}
          words={describeFilters(confirming, shown, workspaces)}
          onClose={() => setConfirming(null)}
        />
      )}
    </>
  );
}
