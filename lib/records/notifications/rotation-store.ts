import "server-only";
import type { Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { openPayload, sealPayload } from "./secret-rows";

/** Re-encrypts messages waiting for an attempt with the current secret. Idempotent. */
export async function resealNotifications(db: Database, settings: Env): Promise<void> {
  if (settings.previousSecretKeys.length === 0) return;
  for (const row of await db.notification.findMany({ where: { payloadCiphertext: { not: null } } })) {
    const { id, payloadCiphertext } = row;
    if (payloadCiphertext === null) continue;
    const sealed = sealPayload(settings, row, openPayload(settings, row, payloadCiphertext));
    await db.notification.updateMany({ where: { id, payloadCiphertext }, data: { payloadCiphertext: sealed } });
  }
}
