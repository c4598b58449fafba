"use client";
import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { PageButtons } from "@/components/layout/page-buttons";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { RUN_COLUMNS } from "./export-columns";
import { runsQuery } from "./export-queries";

/** The last runs of a destination that sent generations or failed, and tests. */
export function ExportRuns({ id }: { id: string }) {
  const [offset, setOffset] = useState(0);
  const runs = useQuery(runsQuery(id, offset));
  return (
    <DataState query={runs} subject="runs" skeleton={<DataTableSkeleton columns={RUN_COLUMNS} rows={4} />}>
      {({ data, total_count }) =>
        total_count === 0 ? (
          <EmptyState icon={History} title="No runs yet">
            Runs that sent generations or failed appear here. Send a test to check that the destination can be reached.
          </EmptyState>
        ) : (
          <div className="grid gap-3">
            <DataTable label="Runs" columns={RUN_COLUMNS} rows={data} rowKey={(run) => run.id} />
            <PageButtons
              subject="runs"
              offset={offset}
              size={PAGE_SIZE}
              shown={data.length}
              total={total_count}
              onOffset={setOffset}
            />
          </div>
        )
      }
    </DataState>
  );
}
