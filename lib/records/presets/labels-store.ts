import "server-only";
import type { Database } from "../../platform/database/transaction";
import type { Preset } from "./contract";

/** Loads a preset's labels, sorted by name. */
export async function labelsOf(db: Database, presetId: string): Promise<Preset["labels"]> {
  const rows = await db.presetLabel.findMany({ where: { presetId }, orderBy: { name: "asc" } });
  return Object.fromEntries(rows.map(({ name, version }) => [name, version]));
}
