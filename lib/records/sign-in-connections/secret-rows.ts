import "server-only";
import type { SignInConnection as Row } from "../../../prisma/generated/client";
import type { Env } from "../../platform/env";
import { decrypt, encrypt, secretKeysOf } from "../../platform/secrets";

const PURPOSES = { clientSecret: "sign-in client secrets", spKey: "sign-in service provider keys" } as const;
type Kind = keyof typeof PURPOSES;

type Owner = Pick<Row, "organizationId" | "id">;
const placeOf = ({ organizationId, id }: Owner) => `${organizationId}/${id}`;

/** Encrypts a secret for its connection's column. */
export const sealSecret = (kind: Kind, { secretKey }: Env, connection: Owner, secret: string): string =>
  encrypt(secretKey, PURPOSES[kind], placeOf(connection), secret);

export const openSecret = (kind: Kind, settings: Env, connection: Owner, sealed: string): string =>
  decrypt(secretKeysOf(settings), PURPOSES[kind], placeOf(connection), sealed);

/** Returns the columns re-encrypted with the current secret. */
export function resealed(settings: Env, row: Row): Pick<Row, "clientSecretCiphertext" | "spKeyCiphertext"> {
  const again = (kind: Kind, sealed: string | null) =>
    sealed === null ? null : sealSecret(kind, settings, row, openSecret(kind, settings, row, sealed));
  return {
    clientSecretCiphertext: again("clientSecret", row.clientSecretCiphertext),
    spKeyCiphertext: again("spKey", row.spKeyCiphertext),
  };
}
