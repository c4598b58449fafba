"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight, History, Download } from "lucide-react";
import { useState, useRef } from "react";
import { PageHeader } from "@/components/layout/page-header";
import { ResourceList, useListState } from "@/components/layout/resource-list";
import { RELATIVE_RANGES } from "@/components/time-range/time-range";
import { TimeRangePicker } from "@/components/time-range/time-range-picker";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import type { Column } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import type { AuditEvent } from "@/lib/platform/audit/contract";
import { memberName } from "@/components/members/member-name";
import type { FilterDefinition } from "@/components/layout/filter-bar";
import type { Member } from "@/lib/records/members/contract";
import { downloadExport } from "@/components/layout/download-export";
import { Menu, MenuItem } from "@/components/ui/menu";
import { Progress } from "@/components/ui/progress";
import { toast } from "@/components/ui/toast";
import { requestOf } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { exportAuditEvents } from "@/lib/browser/operations/audit";
import type { ExportFormat } from "@/lib/platform/http/vocabulary";
import { isFromPolicyFile } from "./applied-by";
import { actorsQuery, auditListQuery, AUDIT_STATE, type AuditFilters, auditQuery } from "./audit-queries";
import { AuditSheet, Sentence } from "./audit-sheet";
import { actionLabel, AUDIT_ACTIONS } from "./audit-sentence";

export function AuditLog() {
  const { state, setState, list } = useListState(AUDIT_STATE, { history: "push" });
  const { event: openId, cursor } = state;
  const [now, setNow] = useState(() => Date.now());
  const events = useQuery(auditListQuery(state, now));
  const canSeeMembers = useMay("members:read");
  const actors = useQuery({ ...actorsQuery, enabled: events.isSuccess && canSeeMembers });
  const narrow = (changes: Partial<AuditFilters>) => void setState({ ...changes, cursor: null, event: null });
  const open = (event: AuditEvent) => void setState({ event: event.id });
  const named = (events.data?.data ?? [])
    .flatMap(({ actor, target }) => [actor, target])
    .flatMap(({ id, name }): [string, string][] => (id && name ? [[id, name]] : []));
  return (
    <>
      <PageHeader title="Audit log" description="Changes, reads of content and denied attempts." />
      <ResourceList
        label="Audit log"
        subject="the audit log"
        query={events}
        list={list}
        columns={auditColumns(open)}
        rowKey={({ id }) => id}
        skeletonRows={12}
        timeRange={
          <TimeRangePicker
            value={state}
            presets={RELATIVE_RANGES}
            isOptional
            align="start"
            onChange={(change) => {
              setNow(Date.now());
              narrow(change);
            }}
          />
        }
        filters={auditFilters(actors.data?.data ?? [], state, new Map(named))}
        actions={<AuditExport filters={state} />}
        onNarrow={() => narrow({})}
        onOpen={open}
        empty={
          <EmptyState icon={History} title="No events yet">
            Changes by members and management keys are recorded here.
          </EmptyState>
        }
        pages={({ next_cursor }) => (
          <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
            {cursor !== null && (
              <Button size="sm" onClick={() => void setState({ cursor: null })}>
                Newest
              </Button>
            )}
            <Button
              size="sm"
              disabled={next_cursor === null}
              onClick={() => void setState({ cursor: next_cursor }, { scroll: true })}
            >
              Older <ChevronRight aria-hidden />
            </Button>
          </nav>
        )}
      />
      {openId !== null && (
        <AuditSheet
          key={openId}
          id={openId}
          listed={events.data?.data.find(({ id }) => id === openId)}
          onClose={() => void setState({ event: null })}
          events={events.data?.data ?? []}
          onNarrow={narrow}
        />
      )}
    </>
  );
}

const MEANS = {
  key: "API key",
  member: "Console",
  scim_token: "Directory",
  system: "Signalbox",
  anonymous: "Not signed in",
} as const;

const auditColumns = (onOpen: (event: AuditEvent) => void): Column<AuditEvent>[] => [
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

const TARGET_TYPES = [...new Set(AUDIT_ACTIONS.map((action) => action.split(".")[0] ?? ""))].filter(
  (type) => type !== "session" && type !== "invitation",
);

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");

/** Filters of the audit log. Names of actors and resources other than members come from the shown events. */
function auditFilters(
  members: readonly Member[],
  { actor_id }: Pick<AuditFilters, "actor_id">,
  names: ReadonlyMap<string, string>,
): FilterDefinition[] {
  const actors = members.map((member) => ({ value: member.id, label: memberName(member) }));
  const isOther = actor_id !== null && !actors.some(({ value }) => value === actor_id);
  return [
    {
      key: "actor_id",
      label: "Actor",
      kind: "options",
      options: isOther ? [...actors, { value: actor_id, label: names.get(actor_id) ?? actor_id }] : actors,
    },
    {
      key: "action",
      label: "Action",
      kind: "options",
      options: AUDIT_ACTIONS.map((value) => ({ value, label: actionLabel(value) })),
    },
    {
      key: "target_type",
      label: "Resource type",
      kind: "options",
      options: TARGET_TYPES.map((value) => ({ value, label: capital(value) })),
    },
    { key: "target_id", label: "Resource", kind: "text", nameOf: (id) => names.get(id) },
  ];
}

/** Exports all matching events, with progress and cancel. */
function AuditExport({ filters }: { filters: AuditFilters }) {
  const running = useRef<AbortController | null>(null);
  const [count, setCount] = useState<number | null>(null);
  const run = async (format: ExportFormat) => {
    const controller = new AbortController();
    running.current = controller;
    setCount(0);
    try {
      const { signal } = controller;
      const request = requestOf(exportAuditEvents, { query: { ...auditQuery(filters, Date.now()), format }, signal });
      await downloadExport(request, ({ records }) => setCount(records));
      toast.success("Export downloaded");
    } catch (error) {
      if (!controller.signal.aborted) toast.error("Couldn't export", { description: toFailure(error).message });
    } finally {
      setCount(null);
    }
  };
  if (count !== null) {
    return (
      <div className="flex items-center gap-3">
        <div className="grid w-36 gap-1">
          <span role="status" className="text-[13px] text-muted tabular-nums">
            {count.toLocaleString("en")} {count === 1 ? "event" : "events"} loaded
          </span>
          <Progress label="Export" value={null} />
        </div>
        <Button size="sm" onClick={() => running.current?.abort()}>
          Cancel export
        </Button>
      </div>
    );
  }
  const trigger = (
    <Button size="sm">
      <Download aria-hidden /> Export
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuItem onSelect={() => void run("csv")}>CSV</MenuItem>
      <MenuItem onSelect={() => void run("jsonl")}>JSON Lines</MenuItem>
    </Menu>
  );
}
