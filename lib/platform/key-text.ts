import "server-only";
import { randomBase62, sha256, toBase62 } from "./secrets";

export type KeyKind = "management" | "inference";

const PREFIX: Readonly<Record<KeyKind | "scim", string>> = {
  management: "sb-mgmt-v1-",
  inference: "sb-key-v1-",
  scim: "sb-scim-v1-",
};
const SECRET_LENGTH = 42;
const CHECKSUM_LENGTH = 6;

/** Returns the first 31 bits of the SHA-256 in base62, which detect a mistyped key without a query (docs/semantics.md#keys). */
const checksum = (text: string) => toBase62(parseInt(sha256(text).slice(0, 8), 16) >>> 1, CHECKSUM_LENGTH);

/** Generates a key or SCIM token: prefix, 42 random base62 characters, and a 6-character checksum. */
export function newKeyText(kind: KeyKind | "scim"): string {
  const text = PREFIX[kind] + randomBase62(SECRET_LENGTH);
  return text + checksum(text);
}

/** Returns a key's public identifier: the lowercase hex SHA-256 of the whole text. */
export const keyHash = sha256;

/** False for texts that can't be a key: invalid characters or length, or our prefix with a wrong checksum. */
export function isPlausibleKeyText(text: string): boolean {
  const prefix = Object.values(PREFIX).find((prefix) => text.startsWith(prefix));
  if (!prefix) return /^[\x21-\x7e]{32,200}$/.test(text);
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.length === prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH && text === body + checksum(body);
}

/** Returns a key's label: prefix, three characters and the last four. */
export function keyLabel(text: string): string {
  const prefix = Object.values(PREFIX).find((prefix) => text.startsWith(prefix)) ?? "";
  return `${text.slice(0, prefix.length + 3)}...${text.slice(-4)}`;
}
