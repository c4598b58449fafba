import "server-only";
import type { Workspace as WorkspaceRow } from "../../../prisma/generated/client";
import type { ClientAttributes } from "../../platform/context";
import type { UpdateWorkspaceBody, Workspace, WorkspaceResponse } from "./contract";

/** Converts a row to an API object. */
export const toWorkspace = (row: WorkspaceRow): Workspace => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  is_default: row.isDefault,
  default_guardrail_id: row.defaultGuardrailId,
  content_logging: row.contentLogging,
  content_retention_days: row.contentRetentionDays,
  metadata_retention_days: row.metadataRetentionDays,
  regions: row.regions as Workspace["regions"],
  allow_unpriced_models: row.allowUnpricedModels,
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt?.toISOString() ?? null,
});

/** OpenRouter's SDK requires the id of a guardrail to be a string. */
const REQUIRES_TEXT = /@openrouter\/sdk\b/;

/** Converts a row to a response, with the fields that OpenRouter's clients require. */
export function toResponse(row: WorkspaceRow, { userAgent }: Pick<ClientAttributes, "userAgent">): WorkspaceResponse {
  const workspace = toWorkspace(row);
  return {
    ...workspace,
    default_guardrail_id: workspace.default_guardrail_id ?? (REQUIRES_TEXT.test(userAgent ?? "") ? "" : null),
    default_text_model: null,
    default_image_model: null,
    default_provider_sort: null,
    io_logging_api_key_ids: null,
    io_logging_sampling_rate: workspace.content_logging ? 1 : 0,
    is_observability_io_logging_enabled: workspace.content_logging,
    is_observability_broadcast_enabled: false,
    is_data_discount_logging_enabled: false,
  };
}

/** Converts API fields to columns; missing fields stay missing. */
export const toColumns = (body: UpdateWorkspaceBody) => ({
  name: body.name,
  slug: body.slug,
  description: body.description,
  defaultGuardrailId: body.default_guardrail_id,
  contentLogging: body.content_logging,
  contentRetentionDays: body.content_retention_days,
  metadataRetentionDays: body.metadata_retention_days,
  regions: body.regions,
  allowUnpricedModels: body.allow_unpriced_models,
});
