import "server-only";
import type { Caller, Workload } from "../../platform/context";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import { cached, type Loaded } from "../../platform/database/policy-cache";
import { activeExceptions, OWN_RAISE, toExceptions, type ExceptionsJson } from "../exceptions/active-store";
import { whileActive } from "../../engine/policy/active-exceptions";
import { NO_GRANTS } from "../../platform/grants";
import { grantsOf, type HeldRole } from "../roles/grants";
import { heldRoles, rolesOfKey } from "../roles/held-store";
import type { ResetInterval } from "../../engine/windows";
import { isPlausibleKeyText, keyHash } from "../../platform/key-text";

type KeyCaller = Extract<Caller, { kind: "key" }>;

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
  expires_at: Date | null;
  raises: ExceptionsJson;
  tags: string[];
  workload: Workload | null;
  held: HeldRole[];
}

/**
 * Finds the caller of a key, or null: unknown, disabled, expired and rotated keys are indistinguishable. The checksum
 * of an uncached key is verified before the lookup.
 */
export function findKeyCaller(db: Database, keyText: string, now: Date): Promise<KeyCaller | null> {
  return findCallerByHash(db, keyHash(keyText), now, () => isPlausibleKeyText(keyText));
}

/** Finds the caller of the key with a hash, or null, like `findKeyCaller`. */
export async function findCallerByHash(
  db: Database,
  hash: string,
  now: Date,
  isPlausible: () => boolean = () => true,
): Promise<KeyCaller | null> {
  const callerAt = await cached(db, ["key", hash], async () => (isPlausible() ? loadKey(db, hash, now) : null));
  return callerAt?.(now) ?? null;
}

/** Loads a key by primary key, unless its creator is deactivated. Uses raw SQL because it runs on many requests. */
async function loadKey(db: Database, hash: string, now: Date): Promise<Loaded<(at: Date) => KeyCaller | null> | null> {
  const [row] = await db.$queryRaw<KeyRow[]>`
    SELECT keys.id, keys.kind::text, keys.name, keys.organization_id, keys.workspace_id, keys.creator_user_id,
      keys.limit_micro_usd, keys.limit_reset::text, keys.include_byok_in_limit,
      least(keys.expires_at, key_secrets.expires_at) AS expires_at, key_secrets.workload,
      keys.tags || coalesce((SELECT tags FROM members WHERE members.id = keys.creator_user_id), '{}') AS tags,
      ${activeExceptions(Prisma.sql`key_id = keys.id AND ${OWN_RAISE}`, now)} AS raises,
      ${heldRoles(rolesOfKey(Prisma.sql`keys.id`))} AS held
    FROM key_secrets JOIN keys ON keys.id = key_secrets.key_id
    LEFT JOIN members ON members.id = keys.creator_user_id
    WHERE key_secrets.hash = ${hash} AND NOT keys.disabled AND keys.deleted_at IS NULL
      AND members.deactivated_at IS NULL`;
  return row ? { organizationId: row.organization_id, value: compileKey(row) } : null;
}

/** Returns a function from a time to the key's caller; null once the key or its text has expired. */
function compileKey(row: KeyRow): (at: Date) => KeyCaller | null {
  const grants = row.kind === "management" ? grantsOf(row.held) : NO_GRANTS;
  const callerAt = whileActive(toExceptions(row.raises), (raises): KeyCaller => ({
    kind: "key",
    keyKind: row.kind,
    keyId: row.id,
    keyName: row.name,
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    userId: row.creator_user_id,
    grants,
    ...(row.tags.length > 0 && { tags: [...new Set(row.tags)] }),
    ...(row.workload && { workload: { issuer: row.workload.issuer, subject: row.workload.subject } }),
    limit: {
      limitMicroUsd: row.limit_micro_usd,
      limitReset: row.limit_reset,
      includeByokInLimit: row.include_byok_in_limit,
      raises,
    },
  }));
  return (at) => (row.expires_at !== null && row.expires_at <= at ? null : callerAt(at));
}
