"use client";
import { useQuery } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { ResourceList } from "@/components/layout/resource-list";
import { May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { exportColumns } from "./export-columns";
import { polledExportsQuery } from "./export-queries";

interface ExportsPanelProps {
  onOpen: (id: string) => void;
  onNew: () => void;
}

/** Destinations that the organization's log is exported to. */
export function ExportsPanel({ onOpen, onNew }: ExportsPanelProps) {
  const destinations = useQuery(polledExportsQuery);
  return (
    <ResourceList
      label="Export destinations"
      subject="exports"
      query={destinations}
      columns={exportColumns(onOpen)}
      rowKey={({ id }) => id}
      skeletonRows={3}
      onOpen={({ id }) => onOpen(id)}
      empty={
        <EmptyState
          icon={Upload}
          title="No exports yet"
          isHeaderAction
          action={
            <May permission="organization:write">
              <Button variant="primary" onClick={onNew}>
                New destination
              </Button>
            </May>
          }
        >
          A destination receives generations as they are recorded: an OpenTelemetry collector as spans or log records,
          or an S3-compatible bucket as JSON Lines files.
        </EmptyState>
      }
    />
  );
}
