import "server-only";
import type { Env } from "../../platform/env";
import { decrypt, encrypt } from "../../platform/secrets";
import type { SealedSecret } from "../../engine/policy/check-rules";
import type { ExternalCheck } from "../../engine/checks/contract";

const PURPOSE = "external check secrets";
const placeOf = (guardrailId: string, name: string) => `${guardrailId}/${name}`;

/** Encrypted secrets by check name. */
export type SealedSecrets = Readonly<Record<string, string>>;

/** Decrypts a check's secret. */
export const openCheckSecret = (
  { secretKey, previousSecretKeys }: Env,
  { guardrailId, name, ciphertext }: SealedSecret,
): string => decrypt([secretKey, ...previousSecretKeys], PURPOSE, placeOf(guardrailId, name), ciphertext);

const originOf = (url: string) => new URL(url).origin;

/**
 * Returns the stored secrets of a guardrail's new checks. A check without `secret` keeps the secret of the same-named
 * check, unless the origin of its URL changes.
 */
export function sealCheckSecrets(
  { secretKey }: Env,
  guardrailId: string,
  before: { checks: readonly ExternalCheck[]; sealed: SealedSecrets },
  checks: readonly ExternalCheck[],
): SealedSecrets {
  return Object.fromEntries(
    checks.flatMap(({ name, url, secret }): [string, string][] => {
      if (secret) return [[name, encrypt(secretKey, PURPOSE, placeOf(guardrailId, name), secret)]];
      const old = before.checks.find((check) => check.name === name);
      const kept = before.sealed[name];
      return secret === undefined && old && kept !== undefined && originOf(old.url) === originOf(url)
        ? [[name, kept]]
        : [];
    }),
  );
}

/** Returns a guardrail's secrets re-encrypted with the current secret. */
export const resealed = (settings: Env, guardrailId: string, sealed: SealedSecrets): SealedSecrets =>
  Object.fromEntries(
    Object.entries(sealed).map(([name, ciphertext]) => [
      name,
      encrypt(
        settings.secretKey,
        PURPOSE,
        placeOf(guardrailId, name),
        openCheckSecret(settings, { guardrailId, name, ciphertext }),
      ),
    ]),
  );
