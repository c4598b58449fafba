"use client";
import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { Button } from "@/components/ui/button";
import { DiffView } from "@/components/ui/diff-view";
import { Facts } from "@/components/ui/facts";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { SideSheet } from "@/components/ui/side-sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { AuditEvent } from "@/lib/platform/audit/contract";
import { isFromPolicyFile } from "./applied-by";
import { Sentence } from "./audit-columns";
import { auditEventQuery } from "./audit-queries";
import { actionLabel } from "./audit-sentence";
import type { AuditFilters } from "./audit-state";
import { targetHref } from "./audit-target";

interface AuditSheetProps {
  id: string;
  /** The event, if the list has already loaded it. */
  listed: AuditEvent | undefined;
  onClose: () => void;
  onNarrow: (filters: Partial<AuditFilters>) => void;
}

/** Side sheet with the details of an event and its diff. */
export function AuditSheet({ id, listed, onClose, onNarrow }: AuditSheetProps) {
  const event = useQuery({
    ...auditEventQuery(id),
    ...(listed && { initialData: { data: listed }, staleTime: Infinity }),
  });
  return (
    <SideSheet open onClose={onClose} title={event.data ? actionLabel(event.data.data.action) : "Event"}>
      <DataState query={event} subject="this event" skeleton={<Skeleton className="h-64 w-full" />}>
        {({ data }) => <Shown event={data} onNarrow={onNarrow} />}
      </DataState>
    </SideSheet>
  );
}

function Shown({ event, onNarrow }: { event: AuditEvent; onNarrow: AuditSheetProps["onNarrow"] }) {
  const { actor, target, created_at, ip, request_id, before, after, action, workspace_id } = event;
  const href = targetHref(event);
  return (
    <div className="grid gap-5">
      <p className="text-base">
        <Sentence event={event} />
      </p>
      <Facts
        facts={[
          { term: "Time", value: <RelativeTime at={created_at} /> },
          {
            term: "Actor",
            value: actor.id && <MonoId value={actor.id} name={actor.type === "key" ? "key ID" : "member ID"} />,
          },
          { term: "Resource", value: target.id && <MonoId value={target.id} name={`${target.type} ID`} /> },
          { term: "Action", value: <code className="font-mono text-[13px]">{action}</code> },
          { term: "IP address", value: ip && <code className="font-mono text-[13px]">{ip}</code> },
          { term: "Workspace", value: workspace_id && <MonoId value={workspace_id} name="workspace ID" /> },
          { term: "Source", value: isFromPolicyFile(request_id) ? "Policy file" : null },
          { term: "Request", value: <MonoId value={request_id} name="request ID" /> },
        ]}
      />
      <div className="flex flex-wrap items-center gap-2">
        {href !== null && <TextLink href={href}>Open {target.type.replaceAll("_", " ")}</TextLink>}
        {actor.id !== null && (
          <Button size="sm" onClick={() => onNarrow({ actor_id: actor.id })}>
            All events by {actor.name ?? actor.id}
          </Button>
        )}
        {target.id !== null && (
          <Button size="sm" onClick={() => onNarrow({ target_type: target.type, target_id: target.id })}>
            All events for this {target.type.replaceAll("_", " ")}
          </Button>
        )}
      </div>
      {before === null && after === null ? (
        <p className="text-muted">No further details.</p>
      ) : (
        <section aria-label="Changes" className="grid gap-2">
          <h3 className="font-semibold">Changes</h3>
          <DiffView before={before} after={after} beforeLabel="Before" afterLabel="After" />
        </section>
      )}
    </div>
  );
}
