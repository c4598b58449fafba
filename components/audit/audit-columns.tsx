import type { Column } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import type { AuditEvent } from "@/lib/platform/audit/contract";
import { isFromPolicyFile } from "./applied-by";
import { auditSentence } from "./audit-sentence";

export function Sentence({ event }: { event: AuditEvent }) {
  const { actor, phrase, target, rest } = auditSentence(event);
  return (
    <span className="wrap-anywhere">
      <b className="font-semibold">{actor}</b> {phrase} {target !== null && <b className="font-semibold">{target}</b>}{" "}
      {rest}
    </span>
  );
}

const MEANS = { key: "API key", member: "Console", system: "Signalbox", anonymous: "Not signed in" } as const;

export const auditColumns = (onOpen: (event: AuditEvent) => void): Column<AuditEvent>[] => [
  {
    id: "event",
    header: "Event",
    className: "md:w-[56%]",
    cell: (event) => (
      <button type="button" onClick={() => onOpen(event)} className="text-left after:absolute after:inset-0">
        <Sentence event={event} />
      </button>
    ),
  },
  { id: "time", header: "Time", cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  {
    id: "source",
    header: "Source",
    cell: ({ actor, request_id }) => (isFromPolicyFile(request_id) ? "Policy file" : MEANS[actor.type]),
  },
  {
    id: "ip",
    header: "IP address",
    cell: ({ ip }) =>
      ip === null ? <span className="text-muted">Unknown</span> : <code className="font-mono text-[13px]">{ip}</code>,
  },
];
