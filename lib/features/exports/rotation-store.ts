import "server-only";
import type { Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { openSecret, sealSecret } from "./rows";

/** Re-encrypts the secrets of every destination with the current secret. Idempotent. */
export async function resealExports(db: Database, settings: Env): Promise<void> {
  if (settings.previousSecretKeys.length === 0) return;
  for (const row of await db.exportDestination.findMany())
    await db.exportDestination.updateMany({
      where: { id: row.id, secretCiphertext: row.secretCiphertext },
      data: { secretCiphertext: sealSecret(settings, row, openSecret(settings, row)) },
    });
}
