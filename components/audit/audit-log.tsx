"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight, History } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { DataState, isForbidden } from "@/components/layout/data-state";
import { FilterBar } from "@/components/layout/filter-bar";
import { PageHeader } from "@/components/layout/page-header";
import { RELATIVE_RANGES } from "@/components/time-range/time-range";
import { TimeRangePicker } from "@/components/time-range/time-range-picker";
import { Button } from "@/components/ui/button";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import type { AuditEvent } from "@/lib/platform/audit/contract";
import { auditColumns } from "./audit-columns";
import { AuditExport } from "./audit-export";
import { auditFilters } from "./audit-filters";
import { actorsQuery, auditListQuery } from "./audit-queries";
import { AuditSheet } from "./audit-sheet";
import { AUDIT_STATE, NO_FILTERS, type AuditFilters } from "./audit-state";

export function AuditLog() {
  const [{ event: openId, cursor, zone, ...filters }, setState] = useQueryStates(AUDIT_STATE, { history: "push" });
  const [now, setNow] = useState(() => Date.now());
  const events = useQuery(auditListQuery({ ...filters, cursor }, now));
  const actors = useQuery({ ...actorsQuery, enabled: events.isSuccess });
  const narrow = (changes: Partial<AuditFilters>) => void setState({ ...changes, cursor: null, event: null });
  const open = (event: AuditEvent) => void setState({ event: event.id });
  const columns = auditColumns(open);
  const named = (events.data?.data ?? [])
    .flatMap(({ actor, target }) => [actor, target])
    .flatMap(({ id, name }): [string, string][] => (id && name ? [[id, name]] : []));
  const isNarrowed = Object.values(filters).some((value) => value !== null);
  return (
    <>
      <PageHeader title="Audit log" description="Changes, reads of content and denied attempts." />
      {!isForbidden(events) && (
        <FilterBar
          lead={
            <TimeRangePicker
              value={{ ...filters, zone }}
              presets={RELATIVE_RANGES}
              isOptional
              align="start"
              onChange={(change) => {
                setNow(Date.now());
                void setState({ ...change, cursor: null, event: null });
              }}
            />
          }
          filters={auditFilters(actors.data?.data ?? [], filters, new Map(named))}
          values={filters}
          onChange={(key, value) => narrow({ [key]: [value].flat()[0] ?? null })}
          onClear={() => narrow(NO_FILTERS)}
          actions={<AuditExport filters={filters} />}
        />
      )}
      <DataState query={events} subject="the audit log" skeleton={<DataTableSkeleton columns={columns} rows={12} />}>
        {({ data, next_cursor }) =>
          data.length === 0 ? (
            <EmptyState icon={History} title={isNarrowed ? "No results" : "No events yet"}>
              {isNarrowed ? "Try removing a filter." : "Changes by members and management keys are recorded here."}
            </EmptyState>
          ) : (
            <>
              <DataTable label="Audit log" columns={columns} rows={data} rowKey={({ id }) => id} onOpen={open} />
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
            </>
          )
        }
      </DataState>
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
