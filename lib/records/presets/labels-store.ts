import "server-only";
import type { Database } from "../../platform/database/transaction";
import type { Preset } from "./contract";

/** Loads the labels of presets, sorted by name. */
export async function labelsOf(db: Database, presetIds: readonly string[]): Promise<Map<string, Preset["labels"]>> {
  const rows = await db.presetLabel.findMany({ where: { presetId: { in: [...presetIds] } }, orderBy: { name: "asc" } });
  const labels = new Map<string, Preset["labels"]>();
  for (const { presetId, name, version } of rows) labels.set(presetId, { ...labels.get(presetId), [name]: version });
  return labels;
}
