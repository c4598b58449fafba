import "server-only";
import type { Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { resealed } from "./secret-rows";

/** After a rotation of the installation's secret: seals every webhook's secrets again under the current one. Harmless to repeat. */
export async function resealWebhooks(db: Database, settings: Env): Promise<void> {
  if (settings.previousSecretKeys.length === 0) return;
  for (const row of await db.webhook.findMany()) {
    const unchanged = { id: row.id, secretCiphertext: row.secretCiphertext };
    await db.webhook.updateMany({ where: unchanged, data: resealed(settings, row) });
  }
}
