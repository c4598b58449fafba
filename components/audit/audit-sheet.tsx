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
import { apiQuery } from "@/lib/browser/api-query";
import { listKeys } from "@/lib/browser/operations/keys";
import { CopyButton } from "@/components/ui/copy-button";
import { isFromPolicyFile } from "./applied-by";
import { auditEventQuery, type AuditFilters } from "./audit-queries";
import { contentRead } from "./content-read";
import { actionLabel, auditSentence } from "./audit-sentence";
import { useKnownNames, withNames } from "./known-names";

interface AuditSheetProps {
  id: string;
  /** The event, if the list has already loaded it. */
  listed: AuditEvent | undefined;
  /** Listed events, for names of members and resources. */
  events: readonly AuditEvent[];
  onClose: () => void;
  onNarrow: (filters: Partial<AuditFilters>) => void;
}

/** Side sheet with the details of an event and its diff. */
export function AuditSheet({ id, listed, events, onClose, onNarrow }: AuditSheetProps) {
  const event = useQuery({
    ...auditEventQuery(id),
    ...(listed && { initialData: { data: listed }, staleTime: Infinity }),
  });
  return (
    <SideSheet open onClose={onClose} title={event.data ? actionLabel(event.data.data.action) : "Event"}>
      <DataState query={event} subject="this event" skeleton={<Skeleton className="h-64 w-full" />}>
        {({ data }) => <Shown event={data} events={events} onNarrow={onNarrow} />}
      </DataState>
    </SideSheet>
  );
}

function Shown({ event, events, onNarrow }: { event: AuditEvent } & Pick<AuditSheetProps, "events" | "onNarrow">) {
  const { actor, target, created_at, ip, request_id, before, after, action, workspace_id } = event;
  const actorHref = useHref(actor.type, actor.id);
  const keyHref = useHref(target.type === "key" ? "key" : "other", target.id);
  const href = target.type === "key" ? keyHref : targetHref(event);
  const names = useKnownNames([event, ...events]);
  const read = contentRead(event);
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
            value: actor.id && (
              <NamedId
                name={actor.name}
                id={actor.id}
                label={actor.type === "key" ? "key ID" : "member ID"}
                href={actorHref}
              />
            ),
          },
          {
            term: "Resource",
            value: target.id && (
              <NamedId name={target.name} id={target.id} label={`${target.type.replaceAll("_", " ")} ID`} />
            ),
          },
          { term: "Action", value: <code className="font-mono text-[13px]">{action}</code> },
          { term: "IP address", value: ip && <code className="font-mono text-[13px]">{ip}</code> },
          {
            term: "Workspace",
            value: workspace_id && <NamedId name={names.get(workspace_id)} id={workspace_id} label="workspace ID" />,
          },
          { term: "Source", value: isFromPolicyFile(request_id) ? "Policy file" : null },
          ...(read ?? []),
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
      {read ? null : before === null && after === null ? (
        <p className="text-muted">No further details.</p>
      ) : (
        <section aria-label="Changes" className="grid gap-2">
          <h3 className="font-semibold">Changes</h3>
          <DiffView
            before={withNames(before, names)}
            after={withNames(after, names)}
            beforeLabel="Before"
            afterLabel="After"
          />
        </section>
      )}
    </div>
  );
}

export function Sentence({ event }: { event: AuditEvent }) {
  const { actor, phrase, target, rest } = auditSentence(event);
  return (
    <span className="wrap-anywhere">
      <b className="font-semibold">{actor}</b> {phrase} {target !== null && <b className="font-semibold">{target}</b>}{" "}
      {rest}
    </span>
  );
}

interface NamedIdProps {
  /** Null when unknown: the ID is shown instead. */
  name: string | null | undefined;
  id: string;
  /** Name of the ID: "member ID". */
  label: string;
  /** The resource's page, if it has one. */
  href?: string | null;
}

/** Name of a resource, with its ID in a tooltip and a copy button. */
function NamedId({ name, id, label, href = null }: NamedIdProps) {
  if (!name && href === null) return <MonoId value={id} name={label} />;
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <span className="min-w-0 wrap-anywhere" title={id}>
        {href === null ? name : <TextLink href={href}>{name ?? id}</TextLink>}
      </span>
      <CopyButton text={id} label={`Copy ${label}`} className="relative z-10 size-6 text-muted" />
    </span>
  );
}

/** Page of an actor. Keys are looked up, because their page is named by a hash that rotation changes. */
function useHref(type: string, id: string | null): string | null {
  const isKey = type === "key" && id !== null;
  const keys = useQuery({
    ...apiQuery(listKeys, { query: { q: id ?? "", limit: 1, include_disabled: "true" } }),
    enabled: isKey,
  });
  if (isKey) return path("/keys/", keys.data?.data[0]?.hash ?? null);
  return type === "member" ? path("/members/", id) : null;
}

/** Returns a text field of the changed record. */
function recorded({ before, after }: AuditEvent, field: string): string | null {
  const record: unknown = after ?? before;
  const value =
    typeof record === "object" && record !== null
      ? new Map<string, unknown>(Object.entries(record)).get(field)
      : undefined;
  return typeof value === "string" ? value : null;
}

const path = (base: string, name: string | null) => (name === null ? null : base + encodeURIComponent(name));

/** Page of an event's target; null if there is none or it was deleted. */
function targetHref(event: AuditEvent): string | null {
  const { type, id, name } = event.target;
  if (event.action.endsWith(".delete") && type !== "member") return null;
  if (type === "guardrail") return path("/guardrails/", id);
  if (type === "generation") return path("/generations/", id);
  if (type === "member") return path("/members/", id);
  if (type === "preset") return path("/presets/", name);
  if (type === "provider") return path("/providers/", recorded(event, "slug"));
  if (type === "model") return path("/providers?tab=models&model=", recorded(event, "slug"));
  if (type === "alert") return path("/alerts?alert=", id);
  if (type === "workspace") return path("/settings?tab=workspaces&edit=", id);
  return type === "organization" ? "/settings" : null;
}
