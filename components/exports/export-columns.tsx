import { Badge } from "@/components/ui/badge";
import type { Column } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextLink } from "@/components/ui/text-link";
import type { ExportDestination, ExportRun } from "@/lib/features/exports/contract";
import { formatCount } from "@/components/generations/generation-format";
import { addressOf, CONTENT_LABELS } from "./export-text";

export const exportColumns = (onOpen: (id: string) => void): Column<ExportDestination>[] => [
  {
    id: "name",
    header: "Name",
    className: "md:w-[40%]",
    cell: (destination) => (
      <div className="grid justify-items-start gap-0.5">
        <button
          type="button"
          onClick={() => onOpen(destination.id)}
          className="text-left font-medium wrap-anywhere after:absolute after:inset-0"
        >
          {destination.name}
        </button>
        <span className="text-left text-[13px] wrap-anywhere text-muted">{addressOf(destination)}</span>
      </div>
    ),
  },
  { id: "content", header: "Content", cell: ({ content }) => CONTENT_LABELS[content] },
  { id: "status", header: "Status", cell: (destination) => <ExportState destination={destination} /> },
  {
    id: "last_run",
    header: "Last run",
    cell: ({ last_run }) => (last_run ? <RelativeTime at={last_run.started_at} /> : "–"),
  },
  {
    id: "oldest_pending",
    header: "Oldest pending",
    cell: ({ oldest_pending_at: at }) => (at === null ? "None" : <RelativeTime at={at} />),
  },
];

/** Status of a destination: active, failing or paused. */
export function ExportState({
  destination: { enabled, paused_reason, failing_since },
}: {
  destination: ExportDestination;
}) {
  if (!enabled) return <Badge tone={paused_reason === null ? "neutral" : "danger"}>Paused</Badge>;
  return failing_since === null ? <Badge tone="success">Active</Badge> : <Badge tone="warning">Failing</Badge>;
}

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

export const RUN_COLUMNS: Column<ExportRun>[] = [
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
