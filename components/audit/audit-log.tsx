"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight, History } from "lucide-react";
import { useState } from "react";
import { PageHeader } from "@/components/layout/page-header";
import { ResourceList, useListState } from "@/components/layout/resource-list";
import { RELATIVE_RANGES } from "@/components/time-range/time-range";
import { TimeRangePicker } from "@/components/time-range/time-range-picker";
import { Button } from "@/components/ui/button";
import type { Column } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import type { AuditEvent } from "@/lib/platform/audit/contract";
import { isFromPolicyFile } from "./applied-by";
import { AuditExport } from "./audit-export";
import { auditFilters } from "./audit-filters";
import { actorsQuery, auditListQuery, AUDIT_STATE, type AuditFilters } from "./audit-queries";
import { AuditSheet, Sentence } from "./audit-sheet";

export function AuditLog() {
  const { state, setState, list } = useListState(AUDIT_STATE, { history: "push" });
  const { event: openId, cursor } = state;
  const [now, setNow] = useState(() => Date.now());
  const events = useQuery(auditListQuery(state, now));
  const actors = useQuery({ ...actorsQuery, enabled: events.isSuccess });
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

const MEANS = { key: "API key", member: "Console", system: "Signalbox", anonymous: "Not signed in" } as const;

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
