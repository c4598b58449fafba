"use client";
import { useQuery } from "@tanstack/react-query";
import { Maximize2 } from "lucide-react";
import { memo } from "react";
import { DataState } from "@/components/layout/data-state";
import { LinkButton } from "@/components/ui/link-button";
import { SideSheet } from "@/components/ui/side-sheet";
import { GenerationActions } from "./generation-actions";
import { GenerationHeading, InspectionSkeleton } from "./generation-heading";
import { GenerationInspection } from "./generation-inspection";
import { generationQuery, type Log } from "./generation-queries";
import { NeighbourButtons } from "./neighbour-buttons";

interface GenerationSheetProps {
  open: boolean;
  id: string;
  log: Log;
  /** The filters and the order as a query string. */
  query: string;
  onMove: (id: string) => void;
  onClose: () => void;
}

/** Side sheet with a generation. Previous and next stay within the list's filters. */
export function GenerationSheet({ open, ...props }: GenerationSheetProps) {
  return (
    <SideSheet open={open} onClose={props.onClose} title="Generation" actions={<SheetActions {...props} />}>
      <SheetBody key={props.id} id={props.id} />
    </SideSheet>
  );
}

function SheetActions({ id, log, query, onMove, onClose }: Omit<GenerationSheetProps, "open">) {
  const generation = useQuery({ ...generationQuery(id), select: ({ data }) => data });
  return (
    <>
      <NeighbourButtons id={id} log={log} onMove={onMove} />
      <LinkButton
        variant="ghost"
        size="icon"
        href={`/generations/${id}${query && `?${query}`}`}
        aria-label="Open full page"
        title="Open full page"
      >
        <Maximize2 aria-hidden />
      </LinkButton>
      {generation.data && <GenerationActions generation={generation.data} onLeave={onClose} />}
    </>
  );
}

const SheetBody = memo(function SheetBody({ id }: { id: string }) {
  const generation = useQuery({ ...generationQuery(id), select: ({ data }) => data });
  return (
    <DataState query={generation} subject="this generation" skeleton={<InspectionSkeleton />}>
      {(data) => (
        <div className="grid gap-4">
          <GenerationHeading generation={data} />
          <GenerationInspection generation={data} />
        </div>
      )}
    </DataState>
  );
});
