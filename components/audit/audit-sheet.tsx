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
  /** The event, when the list below holds it. */
  listed: AuditEvent | undefined;
  onClose: () => void;
  onNarrow: (filters: Partial<AuditFilters>) => void;
}

/** One change: who, what, when, from where, and what it was before. */
export function AuditSheet({ id, listed, onClose, onNarrow }: AuditSheetProps) {
  const event = useQuery({
    ...auditEventQuery(id),
    ...(listed && { initialData: { data: listed }, staleTime: Infinity }),
  });
  return (
    <SideSheet open onClose={onClose} title={event.data ? actionLabel(event.data.data.action) : "Change"}>
      <DataState query={event} subject="this change" skeleton={<Skeleton className="h-64 w-full" />}>
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
          { term: "When", value: <RelativeTime at={created_at} /> },
          {
            term: "Who",
            value: actor.id && <MonoId value={actor.id} name={actor.type === "key" ? "key id" : "member id"} />,
          },
          { term: "What", value: target.id && <MonoId value={target.id} name={`${target.type} id`} /> },
          { term: "Action", value: <code className="font-mono text-[13px]">{action}</code> },
          { term: "From", value: ip && <code className="font-mono text-[13px]">{ip}</code> },
          { term: "Workspace", value: workspace_id && <MonoId value={workspace_id} name="workspace id" /> },
          { term: "Applied", value: isFromPolicyFile(request_id) ? "From a policy file" : null },
          { term: "Request", value: <MonoId value={request_id} name="request id" /> },
        ]}
      />
      <div className="flex flex-wrap items-center gap-2">
        {href !== null && <TextLink href={href}>Open the {target.type.replaceAll("_", " ")}</TextLink>}
        {actor.id !== null && (
          <Button size="sm" onClick={() => onNarrow({ actor_id: actor.id })}>
            Everything by {actor.name ?? actor.id}
          </Button>
        )}
        {target.id !== null && (
          <Button size="sm" onClick={() => onNarrow({ target_type: target.type, target_id: target.id })}>
            Everything about this {target.type.replaceAll("_", " ")}
          </Button>
        )}
      </div>
      {before === null && after === null ? (
        <p className="text-muted">Nothing else was recorded of it.</p>
      ) : (
        <section aria-label="What changed" className="grid gap-2">
          <h3 className="font-semibold">What changed</h3>
          <DiffView before={before} after={after} beforeLabel="Before" afterLabel="After" />
        </section>
      )}
    </div>
  );
}
