import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { json } from "../../platform/database/json";
import type { Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { resealed } from "./check-secret-rows";
import { sealedSecrets } from "./rows";

/** Re-encrypts the secrets of every guardrail's external checks with the current secret after a rotation. Idempotent. */
export async function resealCheckSecrets(db: Database, settings: Env): Promise<void> {
  if (settings.previousSecretKeys.length === 0) return;
  for (const row of await db.guardrail.findMany({ where: { checkSecrets: { not: Prisma.DbNull } } })) {
    const sealed = resealed(settings, row.id, sealedSecrets(row));
    // A guardrail changed in the meantime already has the current secret for its changes; the next start re-encrypts
    // the rest.
    await db.guardrail.updateMany({
      where: { id: row.id, revision: row.revision },
      data: { checkSecrets: json({ ...sealed }) },
    });
  }
}
