import "server-only";
import type { Caller } from "../../platform/context";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import { activeExceptions, OWN_RAISE, toExceptions, type ExceptionsJson } from "../exceptions/active-store";
import type { ResetInterval } from "../../engine/windows";
import { isPlausibleKeyText, keyHash } from "../../platform/key-text";

interface KeyRow {
  id: string;
  kind: "management" | "inference";
  name: string;
  organization_id: string;
  workspace_id: string;
  creator_user_id: string | null;
  limit_micro_usd: bigint | null;
  limit_reset: ResetInterval | null;
  include_byok_in_limit: boolean;
  raises: ExceptionsJson;
}

/**
 * Finds the caller of a key, or null: unknown, disabled, expired and rotated keys are indistinguishable. One lookup by
 * primary key, and none for a failed checksum. Raw SQL because it runs on every request.
 */
export async function findKeyCaller(db: Database, keyText: string, now: Date): Promise<Caller | null> {
  if (!isPlausibleKeyText(keyText)) return null;
  const rows = await db.$queryRaw<KeyRow[]>`
    SELECT keys.id, keys.kind::text, keys.name, keys.organization_id, keys.workspace_id, keys.creator_user_id,
      keys.limit_micro_usd, keys.limit_reset::text, keys.include_byok_in_limit,
      ${activeExceptions(Prisma.sql`key_id = keys.id AND ${OWN_RAISE}`, now)} AS raises
    FROM key_secrets JOIN keys ON keys.id = key_secrets.key_id
    WHERE key_secrets.hash = ${keyHash(keyText)}
      AND NOT keys.disabled AND keys.deleted_at IS NULL
      AND (keys.expires_at IS NULL OR keys.expires_at > ${now})
      AND (key_secrets.expires_at IS NULL OR key_secrets.expires_at > ${now})`;
  const key = rows[0];
  return key
    ? {
        kind: "key",
        keyKind: key.kind,
        keyId: key.id,
        keyName: key.name,
        organizationId: key.organization_id,
        workspaceId: key.workspace_id,
        userId: key.creator_user_id,
        limit: {
          limitMicroUsd: key.limit_micro_usd,
          limitReset: key.limit_reset,
          includeByokInLimit: key.include_byok_in_limit,
          raises: toExceptions(key.raises),
        },
      }
    : null;
}
