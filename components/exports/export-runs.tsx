"use client";
import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useState } from "react";
import { formatCount } from "@/components/generations/generation-format";
import { PageButtons } from "@/components/layout/page-buttons";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { ResourceList } from "@/components/layout/resource-list";
import { Badge } from "@/components/ui/badge";
import type { Column } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextLink } from "@/components/ui/text-link";
import type { ExportRun } from "@/lib/features/exports/contract";
import { runsQuery } from "./export-queries";

function RunResult({ run: { error, rejected, skipped_generation_id } }: { run: ExportRun }) {
  if (error !== null) return <Badge tone="danger">Failed</Badge>;
  if (skipped_generation_id !== null) return <Badge tone="warning">Skipped</Badge>;
  return rejected > 0 ? <Badge tone="warning">Partly accepted</Badge> : <Badge tone="success">Accepted</Badge>;
}

/** Reason of a failure or rejection, and the skipped generation. */
function RunDetails({ run: { error, rejection, skipped_generation_id: skipped } }: { run: ExportRun }) {
  const reason = error ?? rejection;
  return (
    reason !== null && (
      <span className="text-[13px] wrap-anywhere text-muted">
        {reason}
        {skipped !== null && (
          <>
            . Generation: <TextLink href={`/generations/${skipped}`}>{skipped}</TextLink>
          </>
        )}
      </span>
    )
  );
}

const RUN_COLUMNS: Column<ExportRun>[] = [
  {
    id: "result",
    header: "Result",
    className: "md:w-[45%]",
    cell: (run) => (
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <RunResult run={run} />
        {run.is_test && <Badge>Test</Badge>}
        <RunDetails run={run} />
      </div>
    ),
  },
  {
    id: "generations",
    header: "Generations",
    cell: ({ generations, error, is_test }) => (
      <span className="tabular-nums">{is_test || error !== null ? "–" : formatCount(generations)}</span>
    ),
  },
  {
    id: "duration",
    header: "Duration",
    cell: ({ duration_ms }) => <span className="tabular-nums">{formatCount(duration_ms)} ms</span>,
  },
  { id: "time", header: "Time", cell: ({ started_at }) => <RelativeTime at={started_at} /> },
];

/** The last runs of a destination that sent generations or failed, and tests. */
export function ExportRuns({ id }: { id: string }) {
  const [offset, setOffset] = useState(0);
  const runs = useQuery(runsQuery(id, offset));
  return (
    <div className="grid gap-3">
      <ResourceList
        label="Runs"
        subject="runs"
        query={runs}
        columns={RUN_COLUMNS}
        rowKey={(run) => run.id}
        skeletonRows={4}
        empty={
          <EmptyState icon={History} title="No runs yet">
            Runs that sent generations or failed appear here. Send a test to check that the destination can be reached.
          </EmptyState>
        }
        pages={({ data, total_count }) => (
          <PageButtons
            subject="runs"
            offset={offset}
            size={PAGE_SIZE}
            shown={data.length}
            total={total_count}
            onOffset={setOffset}
          />
        )}
      />
    </div>
  );
}
