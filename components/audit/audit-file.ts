import type { AuditEvent } from "@/lib/platform/audit/contract";

export const AUDIT_FORMATS = ["csv", "jsonl"] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

const COLUMNS = {
  created_at: (event: AuditEvent) => event.created_at,
  actor_type: (event: AuditEvent) => event.actor.type,
  actor_id: (event: AuditEvent) => event.actor.id,
  actor_name: (event: AuditEvent) => event.actor.name,
  action: (event: AuditEvent) => event.action,
  target_type: (event: AuditEvent) => event.target.type,
  target_id: (event: AuditEvent) => event.target.id,
  target_name: (event: AuditEvent) => event.target.name,
  workspace_id: (event: AuditEvent) => event.workspace_id,
  ip: (event: AuditEvent) => event.ip,
  request_id: (event: AuditEvent) => event.request_id,
  before: (event: AuditEvent) => event.before && JSON.stringify(event.before),
  after: (event: AuditEvent) => event.after && JSON.stringify(event.after),
} satisfies Record<string, (event: AuditEvent) => unknown>;

/** CSV cell, escaped against formulas and line breaks. */
function cell(value: unknown): string {
  const text = typeof value === "string" ? value : "";
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

const row = (values: readonly unknown[]) => `${values.map(cell).join(",")}\r\n`;

/** Events as the text of an export file. */
export function auditFile(events: readonly AuditEvent[], format: AuditFormat): string {
  if (format === "jsonl") return events.map((event) => `${JSON.stringify(event)}\n`).join("");
  return (
    row(Object.keys(COLUMNS)) + events.map((event) => row(Object.values(COLUMNS).map((read) => read(event)))).join("")
  );
}
