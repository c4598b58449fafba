import { Badge } from "@/components/ui/badge";
import type { Column } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ExportDestination } from "@/lib/features/exports/contract";
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
