import "server-only";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** The version, followed by nonce, tag and ciphertext. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** Derives a key per object, because one key may encrypt only a limited number of objects with random nonces. */
const objectKey = (contentKey: Buffer, storageKey: string) =>
  Buffer.from(hkdfSync("sha256", contentKey, Buffer.alloc(0), `signalbox/content/${storageKey}`, 32));

/** Encrypts an object with AES-256-GCM, bound to its storage key. */
export function sealObject(contentKey: Buffer, storageKey: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", objectKey(contentKey, storageKey), nonce);
  const sealed = [cipher.update(plain), cipher.final()];
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), ...sealed]);
}

/** Decrypts an object; throws if it was changed, moved or encrypted with another key. */
export function openObject(contentKey: Buffer, storageKey: string, sealed: Buffer): Buffer {
  if (sealed.length < HEAD_BYTES || sealed[0] !== VERSION) throw new Error("unknown form of a stored content");
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", objectKey(contentKey, storageKey), nonce);
  decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
}

/** Prefix of all contents in a bucket, which may contain other objects. */
export const CONTENTS = "contents/";

/** Returns the key of a generation's object: by organization and UTC day. */
export const storageKeyOf = (organizationId: string, createdAt: Date, id: string): string =>
  `${CONTENTS}${organizationId}/${createdAt.toISOString().slice(0, 10)}/${id}`;
