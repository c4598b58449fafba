"use client";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { describeFilter, isSet, type FilterDefinition } from "@/components/layout/filter-definition";
import { describeRange, isAbsolute } from "@/components/time-range/time-range";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Menu, MenuItem } from "@/components/ui/menu";
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
function describeFilters({ definitions, values, timeZone }: Omit<DeleteContentsProps, "filters">): string[] {
  const words = definitions.flatMap((definition) => {
    const value = values[definition.key as keyof FilterState];
    return isSet(value) ? [`${definition.label}: ${describeFilter(definition, value, Infinity)}`] : [];
  });
  const hasRange = values.range !== null || isAbsolute(values);
  return [
    ...(values.q?.trim() ? [`Text: ${values.q.trim()}`] : []),
    ...(hasRange ? [`Time: ${describeRange({ ...values, zone: "local" }, timeZone)}`] : []),
    ...words,
  ];
}

/** Menu with bulk actions on all matching generations. */
export function DeleteContents({ filters, ...shown }: DeleteContentsProps) {
  const [confirming, setConfirming] = useState<GenerationFilters | null>(null);
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
        <DeleteContentsDialog filters={confirming} words={describeFilters(shown)} onClose={() => setConfirming(null)} />
      )}
    </>
  );
}
