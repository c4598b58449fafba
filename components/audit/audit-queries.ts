import { keepPreviousData } from "@tanstack/react-query";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { call } from "@/lib/browser/api-client";
import { apiQuery } from "@/lib/browser/api-query";
import { getAuditEvent, listAuditEvents } from "@/lib/browser/operations/audit";
import { listMembers } from "@/lib/browser/operations/members";
import type { AuditEvent } from "@/lib/platform/audit/contract";
import { auditQuery, type AuditFilters } from "./audit-state";

export const auditListQuery = ({ cursor, ...filters }: AuditFilters & { cursor: string | null }) => ({
  ...apiQuery(listAuditEvents, { query: { limit: PAGE_SIZE, ...auditQuery(filters), ...(cursor && { cursor }) } }),
  placeholderData: keepPreviousData,
});

export const auditEventQuery = (id: string) => apiQuery(getAuditEvent, { params: { id } });

const MOST = 100;

/** Members for the actor filter. */
export const actorsQuery = apiQuery(listMembers, { query: { limit: MOST } });

/** Maximum number of events per file. Later parts can be exported with a time filter. */
export const MAX_EXPORTED = 20_000;

/** Loads all matching events, newest first, up to the maximum per file, and reports progress. */
export async function readAll(
  filters: AuditFilters,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<AuditEvent[]> {
  const events: AuditEvent[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: AuditEvent[]; next_cursor: string | null } = await call(listAuditEvents, {
      query: { limit: MOST, ...auditQuery(filters), ...(cursor && { cursor }) },
      signal,
    });
    events.push(...page.data);
    cursor = page.next_cursor;
    onProgress(events.length);
  } while (cursor !== null && events.length < MAX_EXPORTED);
  return events;
}
