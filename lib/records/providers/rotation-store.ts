import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { json } from "../../platform/database/json";
import type { Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { openCredentials, sealCredentials } from "./credential-rows";

/** Re-encrypts every provider's credentials with the current secret after a rotation. Idempotent. */
export async function resealCredentials(db: Database, settings: Env): Promise<void> {
  if (settings.previousSecretKeys.length === 0) return;
  const rows = await db.provider.findMany({
    where: {
      OR: [
        { apiKeyCiphertext: { not: null } },
        { credentials: { not: Prisma.DbNull } },
        { headers: { not: Prisma.DbNull } },
      ],
    },
  });
  for (const row of rows) {
    const { apiKey, named, headers } = openCredentials(settings, row);
    const { apiKeyCiphertext, ...sealed } = sealCredentials(settings, row, {
      api_key: apiKey,
      credentials: row.credentials === null ? null : named,
      headers: row.headers === null ? null : headers,
    });
    const unchanged = { id: row.id, apiKeyCiphertext: row.apiKeyCiphertext };
    await db.provider.updateMany({
      where: unchanged,
      data: { apiKeyCiphertext, credentials: json(sealed.credentials), headers: json(sealed.headers) },
    });
  }
}
