import "server-only";
import type { Webhook } from "../../../prisma/generated/client";
import type { Env } from "../../platform/env";
import { decrypt, encrypt } from "../../platform/secrets";

const PURPOSE = "webhook secrets";

type Row = Pick<Webhook, "organizationId" | "id">;
const placeOf = ({ organizationId, id }: Row) => `${organizationId}/${id}`;

/** A secret as its webhook's column holds it. */
export const sealSecret = ({ secretKey }: Env, webhook: Row, secret: string): string =>
  encrypt(secretKey, PURPOSE, placeOf(webhook), secret);

const openSecret = ({ secretKey, previousSecretKeys }: Env, webhook: Row, sealed: string): string =>
  decrypt([secretKey, ...previousSecretKeys], PURPOSE, placeOf(webhook), sealed);

type Sealed = Row & Pick<Webhook, "secretCiphertext" | "previousSecretCiphertext">;

/** The secrets that sign at a time: the newest first, then the one whose grace period runs. */
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

/** The columns sealed under the installation's current secret. */
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
