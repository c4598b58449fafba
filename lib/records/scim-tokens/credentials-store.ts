import "server-only";
import type { ScimCaller } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import { isPlausibleKeyText, keyHash } from "../../platform/key-text";

const TOUCH_EVERY_MS = 60_000;

/** Finds the directory of a token, or null: unknown, deleted and expired tokens are indistinguishable. */
export async function findScimCaller(db: Database, text: string, now: Date): Promise<ScimCaller | null> {
  if (!isPlausibleKeyText(text)) return null;
  const row = await db.scimToken.findUnique({ where: { hash: keyHash(text) } });
  if (!row || (row.expiresAt !== null && row.expiresAt <= now)) return null;
  if (row.lastUsedAt === null || now.getTime() - row.lastUsedAt.getTime() > TOUCH_EVERY_MS)
    await db.scimToken.updateMany({
      where: { id: row.id, organizationId: row.organizationId },
      data: { lastUsedAt: now },
    });
  return { kind: "scim", tokenId: row.id, tokenName: row.name, organizationId: row.organizationId };
}
