import "server-only";
import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, randomFillSync } from "node:crypto";
import { processWide } from "./process-wide";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export const sha256 = (text: string): string => hash("sha256", text);

/** Random bytes, fetched in bulk because a call costs more than its bytes. Each byte is used once, then erased. */
const pool = Buffer.alloc(4096);
let used = pool.length;

function randomByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] as number;
  pool[used++] = 0;
  return byte;
}

/** Generates uniform random base62 text by rejection sampling. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    const byte = randomByte();
    if (byte < 248) text += ALPHABET.charAt(byte % 62);
  }
  return text;
}

/** Converts a non-negative integer to base62, padded on the left. */
export function toBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = ALPHABET.charAt(rest % 62) + text;
  return text;
}

const derivedKey = (secretKey: Buffer, purpose: string) =>
  Buffer.from(hkdfSync("sha256", secretKey, Buffer.alloc(0), `signalbox/${purpose}`, 32));

/**
 * Identifies a secret without revealing it, so that after a rotation each envelope is decrypted with its own secret.
 */
export const secretKeyId = (secretKey: Buffer): string => derivedKey(secretKey, "key id").toString("hex").slice(0, 12);

/** Returns a hash that can't be computed without the secret, even for guessable texts. */
export const keyedHash = (secretKey: Buffer, purpose: string, text: string): string =>
  createHmac("sha256", derivedKey(secretKey, purpose)).update(text).digest("hex");

/** What decrypts: the current secret, and those from before a rotation. */
interface SecretKeys {
  secretKey: Buffer;
  previousSecretKeys: readonly Buffer[];
}

/** Every configured secret, the current one first. */
export const secretKeysOf = ({ secretKey, previousSecretKeys }: SecretKeys): readonly Buffer[] => [
  secretKey,
  ...previousSecretKeys,
];

/** The secret that this process encrypts with; see secret-rollout/store.ts. */
const writing = processWide("writing key", (): { keyId: string | null } => ({ keyId: null }));

/** Returns the secret to encrypt with: the one chosen by `writeWith`, else the first. */
export const writingKey = (secretKeys: readonly [Buffer, ...Buffer[]]): Buffer =>
  secretKeys.find((secretKey) => secretKeyId(secretKey) === writing().keyId) ?? secretKeys[0];

export function writeWith(keyId: string): void {
  writing().keyId = keyId;
}

/**
 * Encrypts with AES-256-GCM and a key derived for `purpose`; `boundTo` names the row, so that a moved ciphertext fails.
 */
export function encrypt(secretKey: Buffer, purpose: string, boundTo: string, plaintext: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", derivedKey(secretKey, purpose), nonce).setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return [
    "v2",
    secretKeyId(secretKey),
    nonce.toString("base64"),
    sealed.toString("base64"),
    cipher.getAuthTag().toString("base64"),
  ].join(".");
}

/** Decrypts with the current or a previous secret. */
export function decrypt(
  secretKeys: Buffer | readonly Buffer[],
  purpose: string,
  boundTo: string,
  envelope: string,
): string {
  const [version, keyId, nonce, sealed, tag] = envelope.split(".");
  if (version !== "v2" || !keyId || !nonce || sealed === undefined || !tag)
    throw new Error("unknown ciphertext envelope");
  const secretKey = [secretKeys].flat().find((candidate) => secretKeyId(candidate) === keyId);
  if (!secretKey) throw new Error(`encrypted with the secret ${keyId}, which is not configured`);
  const decipher = createDecipheriv("aes-256-gcm", derivedKey(secretKey, purpose), Buffer.from(nonce, "base64"));
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(Buffer.from(tag, "base64"));
  return Buffer.concat([decipher.update(Buffer.from(sealed, "base64")), decipher.final()]).toString("utf8");
}
