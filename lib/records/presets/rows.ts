import "server-only";
import type { Preset as PresetRow, PresetVersion as PresetVersionRow } from "../../../prisma/generated/client";
import type { Preset, PresetEntry, PresetVersion, PresetWithVersion } from "./contract";

export const toPresetVersion = (row: PresetVersionRow): PresetVersion => ({
  id: row.id,
  preset_id: row.presetId,
  version: row.version,
  config: row.config as Record<string, unknown>,
  system_prompt: row.systemPrompt,
  message: row.message,
  creator_id: row.creatorId,
  created_at: row.createdAt.toISOString(),
  updated_at: row.createdAt.toISOString(),
});

const toPreset = (row: PresetRow, designatedVersionId: string, labels: Preset["labels"]): Preset => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  description: row.description,
  status: row.status,
  status_updated_at: row.statusUpdatedAt?.toISOString() ?? null,
  revision: row.revision,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  creator_user_id: row.creatorUserId,
  workspace_id: row.workspaceId,
  designated_version_id: designatedVersionId,
  labels,
});

export const toPresetWithVersion = (
  row: PresetRow,
  designated: PresetVersionRow,
  labels: Preset["labels"],
): PresetWithVersion => ({
  ...toPreset(row, designated.id, labels),
  designated_version: toPresetVersion(designated),
});

/** Fields of a preset's designated version shown in lists, and its labels. */
export interface DesignatedRow {
  preset_id: string;
  id: string;
  model: string | null;
  labels: Preset["labels"];
}

export function toPresetEntry(row: PresetRow, designated: ReadonlyMap<string, DesignatedRow>): PresetEntry {
  const version = designated.get(row.id);
  return {
    ...toPreset(row, version?.id ?? "", version?.labels ?? {}),
    designated_version_number: row.designatedVersion,
    latest_version_number: row.latestVersion,
    model: version?.model ?? null,
  };
}
