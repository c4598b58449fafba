import { z } from "zod";
import { Deleted, envelope, IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { listQuery, page } from "../../platform/http/pagination";
import { REGIONS } from "./vocabulary";
import { newName } from "../../platform/name-contract";

export const MAX_SLUG_LENGTH = 50;
/** Maximum number of regions; each adds to the time of a scan. */
export const MAX_REGIONS = 20;

const days = z.number().int().min(1).max(3650).nullable();

/** The fields that an admin sets: docs/semantics.md#workspaces. */
const WorkspaceFields = z.object({
  name: newName(100),
  slug: z
    .string()
    .max(MAX_SLUG_LENGTH)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must consist of lowercase letters and digits, separated by single hyphens"),
  description: z.string().max(500).nullable(),
  default_guardrail_id: Uuid.nullable().meta({
    description: "A guardrail of the same workspace that applies to all its keys",
  }),
  content_logging: z.boolean().meta({ description: "Store prompts and completions of new generations" }),
  content_retention_days: days.meta({ description: "Days until stored content is deleted; null for never" }),
  metadata_retention_days: days.meta({ description: "Days until generations are deleted; null for never" }),
  regions: z
    .array(z.enum(REGIONS, "must be an ISO 3166-1 alpha-2 code of a country with a numbering plan"))
    .max(MAX_REGIONS)
    .refine((regions) => new Set(regions).size === regions.length, "must not contain a region twice")
    .meta({
      description: "Countries whose national phone numbers the `phone` filter finds, as ISO 3166-1 alpha-2 codes",
    }),
  allow_unpriced_models: z.boolean().meta({
    description: "Allow models without a known price under spending limits, which can't count their cost",
  }),
});

const Workspace = z.object({
  id: Uuid,
  ...WorkspaceFields.shape,
  name: z.string(),
  is_default: z.boolean(),
  created_by: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp.nullable(),
});
export type Workspace = z.output<typeof Workspace>;

const unused = z.null().meta({ description: "Always null; OpenRouter's clients require the field" });

/** A workspace with the fields that OpenRouter's clients require: docs/semantics.md#workspaces. */
export const WorkspaceResponse = Workspace.extend({
  default_guardrail_id: z
    .union([Uuid, z.literal("")])
    .nullable()
    .meta({ description: "A guardrail of the same workspace that applies to all its keys; null without one" }),
  default_text_model: unused,
  default_image_model: unused,
  default_provider_sort: unused,
  io_logging_api_key_ids: unused,
  io_logging_sampling_rate: z.number().meta({ description: "1 if content is logged, else 0" }),
  is_observability_io_logging_enabled: z.boolean().meta({ description: "The same as `content_logging`" }),
  is_observability_broadcast_enabled: z.literal(false),
  is_data_discount_logging_enabled: z.literal(false),
}).meta({ id: "Workspace" });
export type WorkspaceResponse = z.output<typeof WorkspaceResponse>;

export const UpdateWorkspaceBody = z.strictObject(WorkspaceFields.partial().shape);
export type UpdateWorkspaceBody = z.output<typeof UpdateWorkspaceBody>;

export const CreateWorkspaceBody = UpdateWorkspaceBody.required({ name: true });
export type CreateWorkspaceBody = z.output<typeof CreateWorkspaceBody>;

const management = { tag: "Workspaces", access: "management" } as const;

export const listWorkspaces = operation({
  ...management,
  id: "listWorkspaces",
  permission: "workspaces:read",
  byWorkspace: true,
  method: "GET",
  path: "/workspaces",
  summary: "List workspaces, by default newest first",
  query: listQuery(["name", "slug", "created_at"], "Search text in name and slug"),
  status: 200,
  result: page(WorkspaceResponse),
});

export const createWorkspace = operation({
  ...management,
  id: "createWorkspace",
  permission: "workspaces:write",
  method: "POST",
  path: "/workspaces",
  summary: "Create a workspace; the slug defaults to one derived from the name",
  body: CreateWorkspaceBody,
  status: 201,
  result: envelope(WorkspaceResponse),
  idempotent: true,
  example: { body: { name: "Research", description: "Research team experiments", content_retention_days: 30 } },
});

export const getWorkspace = operation({
  ...management,
  id: "getWorkspace",
  permission: "workspaces:read",
  byWorkspace: true,
  method: "GET",
  path: "/workspaces/{id}",
  summary: "Get a workspace",
  params: IdParams,
  status: 200,
  result: envelope(WorkspaceResponse),
});

export const updateWorkspace = operation({
  ...management,
  id: "updateWorkspace",
  permission: "workspaces:write",
  byWorkspace: true,
  method: "PATCH",
  path: "/workspaces/{id}",
  summary: "Update the given fields; null clears a field",
  params: IdParams,
  body: UpdateWorkspaceBody,
  status: 200,
  result: envelope(WorkspaceResponse),
  errors: [409],
  example: { body: { content_logging: false, metadata_retention_days: 90 } },
});

export const deleteWorkspace = operation({
  ...management,
  id: "deleteWorkspace",
  permission: "workspaces:write",
  method: "DELETE",
  path: "/workspaces/{id}",
  summary: "Delete an empty workspace; its history is deleted in the background",
  params: IdParams,
  status: 200,
  result: Deleted,
  errors: [409],
});
