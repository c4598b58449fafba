import "server-only";
import type { Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { openSlackUrl, sealSlackUrl } from "./secret-rows";

/** Re-encrypts every rule's Slack URL with the current secret. Idempotent. */
export async function resealAlerts(db: Database, settings: Env): Promise<void> {
  if (settings.previousSecretKeys.length === 0) return;
  for (const row of await db.alertRule.findMany({ where: { slackCiphertext: { not: null } } })) {
    const { id, slackCiphertext } = row;
    if (slackCiphertext === null) continue;
    const sealed = sealSlackUrl(settings, row, openSlackUrl(settings, row, slackCiphertext));
    await db.alertRule.updateMany({ where: { id, slackCiphertext }, data: { slackCiphertext: sealed } });
  }
}
