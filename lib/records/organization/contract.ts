import { z } from "zod";
import { KeySelfService } from "../keys/contract";
import { Percents } from "../budgets/thresholds-contract";
import { envelope, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { newName } from "../../platform/name-contract";

const OrganizationFields = z.object({
  name: newName(100),
  budget_thresholds: Percents.meta({
    description: "Budget alert thresholds in percent, for guardrails without their own",
  }),
  key_self_service: KeySelfService.nullable().meta({
    description: "Caps within which members create their own keys; null: they can't",
  }),
});

export const UpdateOrganizationBody = z.strictObject(OrganizationFields.partial().shape);

const count = (description: string) => z.number().int().min(0).meta({ description });

/** The installation's configuration. The variable of each field is `SIGNALBOX_` plus its upper-case name. */
const Limits = z.object({
  rate_limit_per_minute: count("Requests per minute of a key or session; 0 for no limit"),
  content_reads_per_minute: count("Content reads per minute of a key or session; 0 for no limit"),
  max_body_bytes: count("Maximum size of a request body"),
  filter_timeout_ms: count("Maximum duration of a content filter scan"),
  filter_workers: count("Number of content filter threads"),
  upstream_connect_timeout_ms: count("Connect timeout"),
  upstream_first_byte_timeout_ms: count("Time-to-first-byte timeout"),
  upstream_idle_timeout_ms: count("Idle timeout between chunks"),
  allow_private_upstreams: z.boolean().meta({ description: "Whether base URLs may resolve to private addresses" }),
  zdr_vendors: z.array(z.string()).meta({ description: "Vendors with their own zero data retention switch" }),
});
export type Limits = z.output<typeof Limits>;

const EmbeddedLimit = z.object({
  name: z.enum(["size_bytes", "generations", "memory_bytes", "busy_share"]).meta({
    description:
      "Size of the database; estimated number of generations; resident memory, compared with that of the container or machine; share of the busiest minute of the last hour in which the process was busy",
  }),
  used: z.number(),
  limit: z.number(),
  level: z.enum(["ok", "near", "reached"]).meta({ description: "`near` from 80% of the limit" }),
});
export type EmbeddedLimit = z.output<typeof EmbeddedLimit>;

const InstalledDatabase = z.object({
  kind: z.enum(["embedded", "postgresql"]),
  limits: z.array(EmbeddedLimit).meta({
    description:
      "Recommended limits of the embedded database, measured every minute and not enforced; empty on PostgreSQL and in the first seconds after a start",
  }),
});
export type InstalledDatabase = z.output<typeof InstalledDatabase>;

export const Organization = z
  .object({
    id: Uuid,
    ...OrganizationFields.shape,
    name: z.string(),
    created_at: Timestamp,
    limits: Limits,
    database: InstalledDatabase,
  })
  .meta({ id: "Organization" });
export type Organization = z.output<typeof Organization>;

const management = {
  tag: "Organization",
  access: "management",
  path: "/organization",
  status: 200,
  result: envelope(Organization),
} as const;

export const getOrganization = operation({
  ...management,
  id: "getOrganization",
  permission: "organization:read",
  method: "GET",
  summary: "Get the organization and the install's configuration",
});

export const updateOrganization = operation({
  ...management,
  id: "updateOrganization",
  permission: "organization:write",
  method: "PATCH",
  summary: "Update the organization",
  body: UpdateOrganizationBody,
  example: { body: { name: "Acme", budget_thresholds: [50, 80, 100] } },
});
