import { keepPreviousData } from "@tanstack/react-query";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { apiQuery } from "@/lib/browser/api-query";
import { getAuditEvent, listAuditEvents } from "@/lib/browser/operations/audit";
import { listMembers } from "@/lib/browser/operations/members";
import { auditQuery, type AuditFilters } from "./audit-state";

export const auditListQuery = ({ cursor, ...filters }: AuditFilters & { cursor: string | null }, now: number) => ({
  ...apiQuery(listAuditEvents, { query: { limit: PAGE_SIZE, ...auditQuery(filters, now), ...(cursor && { cursor }) } }),
  placeholderData: keepPreviousData,
});

export const auditEventQuery = (id: string) => apiQuery(getAuditEvent, { params: { id } });

const MOST = 100;

/** Members for the actor filter. */
export const actorsQuery = apiQuery(listMembers, { query: { limit: MOST } });
