import "server-only";
import type { ActorContext } from "../context";
import { inTransaction, type Database } from "../database/transaction";
import type { Env } from "../env";
import { decrypt, encrypt, secretKeyId, sha256 } from "../secrets";
import { conflict, invalid } from "../api-error";

export const MAX_KEY_LENGTH = 255;
export const REPLAY_WINDOW_MS = 24 * 60 * 60 * 1000;

const RESEALED_AT_ONCE = 500;

const boundTo = (callerId: string, key: string) => `${callerId}\n${key}`;

function callerId(caller: ActorContext["caller"]): string {
  if (caller.kind === "key") return `key:${caller.keyId}`;
  return caller.kind === "scim" ? `scim:${caller.tokenId}` : `user:${caller.userId}`;
}

/** Returns the time before which records have expired. */
const expiry = (now: Date) => new Date(now.getTime() - REPLAY_WINDOW_MS);

/** True if `runOnce` will return a stored response. */
export async function hasAnswer({ db, caller, now }: ActorContext, key: string): Promise<boolean> {
  const found = await db.idempotencyRecord.findUnique({
    where: { callerId_key: { callerId: callerId(caller), key } },
    select: { createdAt: true },
  });
  return found !== null && found.createdAt >= expiry(now);
}

/**
 * Runs `work` once per caller and Idempotency-Key within 24 hours, and returns the first response to repetitions. The record is
 * written in the transaction of the work, so that a parallel retry waits for its primary key, and a failure stores neither.
 */
export async function runOnce<T>(
  context: ActorContext,
  key: string,
  request: string,
  work: (context: ActorContext) => Promise<T>,
): Promise<T> {
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw invalid([
      { path: ["Idempotency-Key"], message: `must have 1 to ${MAX_KEY_LENGTH} characters`, code: "invalid_length" },
    ]);
  }
  const { settings } = context;
  const owner = callerId(context.caller);
  const fingerprint = sha256(request);
  const place = boundTo(owner, key);
  const expired = expiry(context.now);
  return inTransaction(context.db, async (db) => {
    const claimed = await db.$executeRaw`
      INSERT INTO idempotency_records (caller_id, key, fingerprint, answer_ciphertext, created_at)
      VALUES (${owner}, ${key}, ${fingerprint}, '', ${context.now})
      ON CONFLICT (caller_id, key) DO UPDATE
        SET fingerprint = excluded.fingerprint, answer_ciphertext = '', created_at = excluded.created_at
        WHERE idempotency_records.created_at < ${expired}`;
    const callerId_key = { callerId: owner, key };
    if (claimed === 0) {
      const record = await db.idempotencyRecord.findUniqueOrThrow({ where: { callerId_key } });
      if (record.fingerprint !== fingerprint)
        throw conflict("This Idempotency-Key was already used for a different request. Use a new key");
      context.headers.set("idempotency-replayed", "true");
      return JSON.parse(
        // Both are read together, because they are swapped during a rotation while requests wait.
        decrypt([settings.secretKey, ...settings.previousSecretKeys], "idempotency", place, record.answerCiphertext),
      ) as T;
    }
    const answer = await work({ ...context, db });
    const answerCiphertext = encrypt(settings.secretKey, "idempotency", place, JSON.stringify(answer));
    await db.idempotencyRecord.update({ where: { callerId_key }, data: { answerCiphertext } });
    return answer;
  });
}

/** Re-encrypts stored responses with the current secret after a rotation. Idempotent. */
export async function resealAnswers(
  db: Database,
  { secretKey, previousSecretKeys }: Pick<Env, "secretKey" | "previousSecretKeys">,
): Promise<void> {
  for (const previous of previousSecretKeys)
    for (;;) {
      const sealed = { startsWith: `v2.${secretKeyId(previous)}.` };
      const rows = await db.idempotencyRecord.findMany({
        where: { answerCiphertext: sealed },
        take: RESEALED_AT_ONCE,
      });
      for (const { callerId, key, answerCiphertext } of rows) {
        const place = boundTo(callerId, key);
        const text = decrypt(previous, "idempotency", place, answerCiphertext);
        await db.idempotencyRecord.updateMany({
          where: { callerId, key, answerCiphertext },
          data: { answerCiphertext: encrypt(secretKey, "idempotency", place, text) },
        });
      }
      if (rows.length < RESEALED_AT_ONCE) break;
    }
}
