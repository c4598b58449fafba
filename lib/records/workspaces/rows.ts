import "server-only";
import type { Workspace as WorkspaceRow } from "../../../prisma/generated/client";
import type { UpdateWorkspaceBody, Workspace } from "./contract";

/** Converts a row to a wire record. */
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
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt?.toISOString() ?? null,
});

/** Converts wire fields to columns; missing fields stay missing. */
export const toColumns = (body: UpdateWorkspaceBody) => ({
  name: body.name,
  slug: body.slug,
  description: body.description,
  defaultGuardrailId: body.default_guardrail_id,
  contentLogging: body.content_logging,
  contentRetentionDays: body.content_retention_days,
  metadataRetentionDays: body.metadata_retention_days,
  regions: body.regions,
});
