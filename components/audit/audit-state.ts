import { createLoader, parseAsIsoDateTime, parseAsString } from "nuqs/server";

const FILTERS = {
  actor_id: parseAsString,
  action: parseAsString,
  target_type: parseAsString,
  target_id: parseAsString,
  from: parseAsString,
  to: parseAsString,
};

/** URL state: filters, cursor, and the open event. */
export const AUDIT_STATE = { ...FILTERS, cursor: parseAsString, event: parseAsString };

export const NO_FILTERS = {
  actor_id: null,
  action: null,
  target_type: null,
  target_id: null,
  from: null,
  to: null,
  cursor: null,
};

export const loadAuditState = createLoader(AUDIT_STATE);

export type AuditFilters = Record<keyof typeof FILTERS, string | null>;

const toInstant = (text: string | null) =>
  text === null ? null : (parseAsIsoDateTime.parse(text)?.toISOString() ?? null);

/** Filters as API parameters, without invalid times. */
export function auditQuery({
  actor_id,
  action,
  target_type,
  target_id,
  from,
  to,
}: AuditFilters): Record<string, string> {
  const all = { actor_id, action, target_type, target_id, from: toInstant(from), to: toInstant(to) };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
