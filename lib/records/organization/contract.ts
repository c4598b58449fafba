import { z } from "zod";
import { Percents } from "../budgets/thresholds-contract";
import { envelope, operation, Timestamp, Uuid } from "../../platform/http/operation";

const OrganizationFields = z.object({
  name: z.string().trim().min(1).max(100),
  budget_thresholds: Percents.meta({
    description: "Percents of a budget whose reaching is told, unless its guardrail has its own",
  }),
});

export const UpdateOrganizationBody = z.strictObject(OrganizationFields.partial().shape);

const count = (description: string) => z.number().int().min(0).meta({ description });

/** What the installation is configured with; `SIGNALBOX_` and a name in capitals is the variable that sets it. */
const Limits = z.object({
  rate_limit_per_minute: count("Requests of a key or session; 0 = no limit"),
  content_reads_per_minute: count("Readings of stored content of a key or session; 0 = no limit"),
  max_body_bytes: count("Of a request's body"),
  filter_timeout_ms: count("Longest scan of a request by content filters"),
  filter_workers: count("Threads that scan requests"),
  upstream_connect_timeout_ms: count("Until a connection to an upstream stands"),
  upstream_first_byte_timeout_ms: count("Until an upstream begins to answer"),
  upstream_idle_timeout_ms: count("Between two parts of an upstream's answer"),
  allow_private_upstreams: z.boolean().meta({ description: "Whether base URLs may lead to private addresses" }),
  zdr_vendors: z.array(z.string()).meta({ description: "The vendors with their own zero-data-retention switch" }),
});
export type Limits = z.output<typeof Limits>;

export const Organization = z
  .object({ id: Uuid, ...OrganizationFields.shape, created_at: Timestamp, limits: Limits })
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
  method: "GET",
  summary: "Get the organization and what the installation is configured with",
});

export const updateOrganization = operation({
  ...management,
  id: "updateOrganization",
  method: "PATCH",
  summary: "Change the organization",
  body: UpdateOrganizationBody,
  example: { body: { name: "Acme", budget_thresholds: [50, 80, 100] } },
});
