import "server-only";
import type { Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { resealed } from "./secret-rows";

/** Re-encrypts every webhook's secrets with the current secret after a rotation. Idempotent. */
export async function resealWebhooks(db: Database, settings: Env): Promise<void> {
  if (settings.previousSecretKeys.length === 0) return;
  for (const row of await db.webhook.findMany()) {
    const unchanged = { id: row.id, secretCiphertext: row.secretCiphertext };
    await db.webhook.updateMany({ where: unchanged, data: resealed(settings, row) });
  }
}
