import { createLoader, parseAsIsoDateTime, parseAsString, type inferParserType } from "nuqs/server";
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
export const AUDIT_STATE = { ...FILTERS, zone, cursor: parseAsString, event: parseAsString };

export const NO_FILTERS = {
  actor_id: null,
  action: null,
  target_type: null,
  target_id: null,
  range: null,
  from: null,
  to: null,
  cursor: null,
};

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
