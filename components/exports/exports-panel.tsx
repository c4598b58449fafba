"use client";
import { useQuery } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { DataState } from "@/components/layout/data-state";
import { Button } from "@/components/ui/button";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
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
  const columns = exportColumns(onOpen);
  return (
    <DataState query={destinations} subject="exports" skeleton={<DataTableSkeleton columns={columns} rows={3} />}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState
            icon={Upload}
            title="No exports yet"
            isHeaderAction
            action={
              <Button variant="primary" onClick={onNew}>
                New destination
              </Button>
            }
          >
            A destination receives generations as they are recorded: an OpenTelemetry collector as spans or log records,
            or an S3-compatible bucket as JSON Lines files.
          </EmptyState>
        ) : (
          <DataTable
            label="Export destinations"
            columns={columns}
            rows={data}
            rowKey={({ id }) => id}
            onOpen={({ id }) => onOpen(id)}
          />
        )
      }
    </DataState>
  );
}
