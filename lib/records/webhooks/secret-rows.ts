import "server-only";
import type { Webhook } from "../../../prisma/generated/client";
import type { Env } from "../../platform/env";
import { decrypt, encrypt } from "../../platform/secrets";

const PURPOSE = "webhook secrets";

type Row = Pick<Webhook, "organizationId" | "id">;
const placeOf = ({ organizationId, id }: Row) => `${organizationId}/${id}`;

/** Encrypts a secret for its webhook's column. */
export const sealSecret = ({ secretKey }: Env, webhook: Row, secret: string): string =>
  encrypt(secretKey, PURPOSE, placeOf(webhook), secret);

const openSecret = ({ secretKey, previousSecretKeys }: Env, webhook: Row, sealed: string): string =>
  decrypt([secretKey, ...previousSecretKeys], PURPOSE, placeOf(webhook), sealed);

type Sealed = Row & Pick<Webhook, "secretCiphertext" | "previousSecretCiphertext">;

/** Returns the signing secrets at a time: the newest, then the previous one during its grace period. */
export function openSecrets(
  settings: Env,
  webhook: Sealed & Pick<Webhook, "previousSecretExpiresAt">,
  now: Date,
): string[] {
  const { secretCiphertext, previousSecretCiphertext: previous, previousSecretExpiresAt: graceEnd } = webhook;
  const sealed =
    previous !== null && graceEnd !== null && graceEnd > now ? [secretCiphertext, previous] : [secretCiphertext];
  return sealed.map((each) => openSecret(settings, webhook, each));
}

/** Returns the columns re-encrypted with the current secret. */
export function resealed(
  settings: Env,
  webhook: Sealed,
): Pick<Webhook, "secretCiphertext" | "previousSecretCiphertext"> {
  const again = (sealed: string) => sealSecret(settings, webhook, openSecret(settings, webhook, sealed));
  const { secretCiphertext, previousSecretCiphertext: previous } = webhook;
  return {
    secretCiphertext: again(secretCiphertext),
    previousSecretCiphertext: previous === null ? null : again(previous),
  };
}
