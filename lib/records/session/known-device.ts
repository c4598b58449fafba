import { keyedHash } from "../../platform/secrets";

const PURPOSE = "known device";

/** Returns the token that proves that a member has signed in with a browser before. */
export const deviceToken = (secretKey: Buffer, memberId: string, nonce: string): string =>
  `${nonce}.${keyedHash(secretKey, PURPOSE, `${memberId} ${nonce}`)}`;

/** Returns the nonce of a member's device token, which identifies the browser; null for any other token. */
export function knownDevice(secretKeys: readonly Buffer[], memberId: string, token: string | null): string | null {
  const nonce = token?.split(".")[0];
  if (nonce === undefined) return null;
  return secretKeys.some((secretKey) => deviceToken(secretKey, memberId, nonce) === token) ? nonce : null;
}
