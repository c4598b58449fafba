import "server-only";
import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { decrypt, encrypt } from "../../platform/secrets";

const PURPOSE = "content key";
const KEY_BYTES = 32;
const MOST_KEYS = 1_000;

type Secrets = Pick<Env, "secretKey" | "previousSecretKeys">;

/** Decrypted keys by organization; a key never changes. */
const known = new WeakMap<Database, LRUCache<string, Buffer>>();

const seal = ({ secretKey }: Secrets, organizationId: string, key: Buffer): string =>
  encrypt(secretKey, PURPOSE, organizationId, key.toString("base64"));

const open = ({ secretKey, previousSecretKeys }: Secrets, organizationId: string, ciphertext: string): Buffer =>
  Buffer.from(decrypt([secretKey, ...previousSecretKeys], PURPOSE, organizationId, ciphertext), "base64");

/** Returns the content key of an organization, or null. */
export async function findContentKey(db: Database, settings: Secrets, organizationId: string): Promise<Buffer | null> {
  let keys = known.get(db);
  if (!keys) known.set(db, (keys = new LRUCache({ max: MOST_KEYS })));
  const found = keys.get(organizationId);
  if (found) return found;
  const row = await db.contentKey.findUnique({ where: { organizationId } });
  if (!row) return null;
  const key = open(settings, organizationId, row.ciphertext);
  keys.set(organizationId, key);
  return key;
}

/** Returns the content key of an organization, created on first use. */
export async function contentKey(db: Database, settings: Secrets, organizationId: string): Promise<Buffer> {
  const found = await findContentKey(db, settings, organizationId);
  if (found) return found;
  const ciphertext = seal(settings, organizationId, randomBytes(KEY_BYTES));
  await db.contentKey.createMany({ data: [{ organizationId, ciphertext }], skipDuplicates: true });
  const key = await findContentKey(db, settings, organizationId);
  if (!key) throw new Error("a content key was created");
  return key;
}

/** Re-encrypts the keys with the current secret after a rotation; contents are unchanged. Idempotent. */
export async function resealContentKeys(db: Database, settings: Env): Promise<void> {
  if (settings.previousSecretKeys.length === 0) return;
  for (const { organizationId, ciphertext } of await db.contentKey.findMany())
    await db.contentKey.updateMany({
      where: { organizationId, ciphertext },
      data: { ciphertext: seal(settings, organizationId, open(settings, organizationId, ciphertext)) },
    });
}
