import { keepPreviousData } from "@tanstack/react-query";
import { createLoader, parseAsIsoDateTime, parseAsString, type inferParserType } from "nuqs/server";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { apiQuery } from "@/lib/browser/api-query";
import { getAuditEvent, listAuditEvents } from "@/lib/browser/operations/audit";
import { listMembers } from "@/lib/browser/operations/members";
import { LIST_STATE } from "@/components/layout/list-state";
import { endsOf, TIME_RANGE_STATE } from "@/components/time-range/time-range";

const { zone, ...RANGE_STATE } = TIME_RANGE_STATE;

const FILTERS = {
  actor_id: parseAsString,
  action: parseAsString,
  target_type: parseAsString,
  target_id: parseAsString,
  ...RANGE_STATE,
};

/** URL state: filters, time zone, cursor, and the open event. */
export const AUDIT_STATE = { ...LIST_STATE, ...FILTERS, zone, cursor: parseAsString, event: parseAsString };

export const loadAuditState = createLoader(AUDIT_STATE);

export type AuditFilters = inferParserType<typeof FILTERS>;

const toInstant = (text: string | null) =>
  text === null ? null : (parseAsIsoDateTime.parse(text)?.toISOString() ?? null);

/** Filters as API parameters, without invalid times. A relative range ends at `now`. */
export function auditQuery(
  { actor_id, action, target_type, target_id, ...range }: AuditFilters,
  now: number,
): Record<string, string> {
  const { from, to } = endsOf(range, now);
  const all = { actor_id, action, target_type, target_id, from: toInstant(from), to: toInstant(to) };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

export const auditListQuery = ({ cursor, ...filters }: AuditFilters & { cursor: string | null }, now: number) => ({
  ...apiQuery(listAuditEvents, { query: { limit: PAGE_SIZE, ...auditQuery(filters, now), ...(cursor && { cursor }) } }),
  placeholderData: keepPreviousData,
});

export const auditEventQuery = (id: string) => apiQuery(getAuditEvent, { params: { id } });

const MOST = 100;

/** Members for the actor filter. */
export const actorsQuery = apiQuery(listMembers, { query: { limit: MOST } });
