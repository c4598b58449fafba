import { keyedHash } from "../../platform/secrets";

const PURPOSE = "passkey challenge";
export const CHALLENGE_LIFETIME_MS = 5 * 60_000;

/** Purpose of a challenge and its member, which is empty at sign-in, when the member is unknown. */
export interface ChallengeUse {
  purpose: "sign-in" | "register" | "reauthenticate";
  memberId: string;
}

const seal = (secretKey: Buffer, { purpose, memberId }: ChallengeUse, nonce: string, expires: string) =>
  keyedHash(secretKey, PURPOSE, JSON.stringify([purpose, memberId, nonce, expires]));

/** Returns a signed challenge, so that nothing is stored for visitors who don't respond. */
export function newChallenge(secretKey: Buffer, use: ChallengeUse, nonce: string, now: Date): string {
  const expires = String(now.getTime() + CHALLENGE_LIFETIME_MS);
  return [nonce, expires, seal(secretKey, use, nonce, expires)].join(".");
}

/**
 * Returns the expiry of a challenge that this server created for this use; null for any other or an expired challenge.
 */
export function challengeEnd(
  secretKeys: readonly Buffer[],
  use: ChallengeUse,
  challenge: string,
  now: Date,
): Date | null {
  const [nonce = "", expires = "", signature] = challenge.split(".");
  const end = new Date(Number(expires));
  const isOurs = secretKeys.some((secretKey) => seal(secretKey, use, nonce, expires) === signature);
  return isOurs && end > now ? end : null;
}
