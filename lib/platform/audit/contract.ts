import { z } from "zod";
import { envelope, IdParams, Instant, operation, Timestamp, Uuid } from "../http/operation";
import { PageQuery } from "../http/pagination";
import { EXPORT_FORMATS } from "../http/vocabulary";

const named = <T extends z.ZodType>(type: T) =>
  z.object({ type, id: z.string().nullable(), name: z.string().nullable() });
const filter = z.string().min(1).max(200).optional();

/** An audit event. `before` and `after` are records as the API returns them, without volatile figures. */
export const AuditEvent = z
  .object({
    id: Uuid,
    actor: named(z.enum(["key", "member", "scim_token", "system", "anonymous"])).meta({
      description:
        "scim_token: a directory; system: Signalbox itself, for example when disabling a failing webhook; anonymous: a caller without a valid credential, named by the network",
    }),
    action: z.string().meta({ description: "noun.verb" }),
    target: named(z.string()),
    workspace_id: Uuid.nullable(),
    before: z.unknown(),
    after: z.unknown(),
    ip: z.string().nullable(),
    request_id: z.string().meta({ description: "For a change by the system: its job ID" }),
    created_at: Timestamp,
  })
  .meta({ id: "AuditEvent" });
export type AuditEvent = z.output<typeof AuditEvent>;

const AuditFilters = z.object({
  actor_id: filter,
  action: filter,
  target_type: filter,
  target_id: filter,
  from: Instant.optional().meta({ description: "At or after this time" }),
  to: Instant.optional().meta({ description: "Before" }),
});
export type AuditFilters = z.output<typeof AuditFilters>;

const ListAuditEventsQuery = z.object({
  limit: PageQuery.shape.limit,
  cursor: z.string().max(500).optional().meta({ description: "`next_cursor` of the previous page" }),
  ...AuditFilters.shape,
});
export type ListAuditEventsQuery = z.output<typeof ListAuditEventsQuery>;

export const listAuditEvents = operation({
  tag: "Audit",
  access: "management",
  id: "listAuditEvents",
  permission: "audit:read",
  readsReplica: true,
  method: "GET",
  path: "/audit-events",
  summary: "List changes and refusals with their actors, newest first",
  query: ListAuditEventsQuery,
  status: 200,
  result: z.object({ data: z.array(AuditEvent), next_cursor: z.string().nullable() }),
});

export const getAuditEvent = operation({
  tag: "Audit",
  access: "management",
  id: "getAuditEvent",
  permission: "audit:read",
  method: "GET",
  path: "/audit-events/{id}",
  summary: "Get an audit event",
  params: IdParams,
  status: 200,
  result: envelope(AuditEvent),
});

export const MAX_COUNTED_DAYS = 31;

export const countAuditEvents = operation({
  tag: "Audit",
  access: "management",
  id: "countAuditEvents",
  permission: "audit:read",
  readsReplica: true,
  method: "GET",
  path: "/audit-events/counts",
  summary: "Count the audit events of at most 31 days by action, most frequent first",
  query: z.object({
    from: Instant.meta({ description: "At or after this time" }),
    to: Instant.optional().meta({ description: "Before; now by default" }),
  }),
  status: 200,
  result: z.object({ data: z.array(z.object({ action: z.string(), count: z.number().int().min(1) })) }),
});

export const exportAuditEvents = operation({
  tag: "Audit",
  access: "management",
  id: "exportAuditEvents",
  permission: "audit:read",
  method: "GET",
  path: "/audit-events/export",
  summary: "Download the matching audit events, newest first, one per line",
  query: AuditFilters.extend({ format: z.enum(EXPORT_FORMATS).default("jsonl") }),
  status: 200,
  result: z.string(),
  downloads: ["application/jsonl", "text/csv"],
});
