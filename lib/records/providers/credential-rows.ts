import "server-only";
import type { Env } from "../../platform/env";
import type { Prisma, Provider as ProviderRow } from "../../../prisma/generated/client";
import { decrypt, encrypt } from "../../platform/secrets";

const PURPOSE = "provider credentials";

/** Context bound to a ciphertext; anywhere else it can't be decrypted. */
const placeOf = ({ organizationId, id }: Pick<ProviderRow, "organizationId" | "id">, field: string) =>
  `${organizationId}/${id}/${field}`;
const headerPlace = (name: string) => `headers/${name}`;

/** Decrypted credentials of an upstream. */
export interface Credentials {
  apiKey: string | null;
  headers: Readonly<Record<string, string>>;
}

type Row = Pick<ProviderRow, "organizationId" | "id" | "apiKeyCiphertext" | "headers">;

/** Returns the names of a provider's headers; their values are secret, like its key. */
export const headerNames = ({ headers }: Pick<ProviderRow, "headers">): string[] =>
  Object.keys((headers as object | null) ?? {});

/** Decrypts columns. */
export function openCredentials({ secretKey, previousSecretKeys }: Env, provider: Row): Credentials {
  const open = (field: string, ciphertext: string) =>
    decrypt([secretKey, ...previousSecretKeys], PURPOSE, placeOf(provider, field), ciphertext);
  const headers = Object.entries((provider.headers as Record<string, string> | null) ?? {});
  return {
    apiKey: provider.apiKeyCiphertext === null ? null : open("api_key", provider.apiKeyCiphertext),
    headers: Object.fromEntries(headers.map(([name, ciphertext]) => [name, open(headerPlace(name), ciphertext)])),
  };
}

/** Encrypts credentials to columns; missing fields stay missing, and null clears. */
export function sealCredentials(
  { secretKey }: Env,
  provider: Pick<ProviderRow, "organizationId" | "id">,
  given: { api_key?: string | null | undefined; headers?: Readonly<Record<string, string>> | null | undefined },
): { apiKeyCiphertext: string | null | undefined; headers: Prisma.InputJsonObject | null | undefined } {
  const seal = (field: string, text: string) => encrypt(secretKey, PURPOSE, placeOf(provider, field), text);
  return {
    apiKeyCiphertext: given.api_key ? seal("api_key", given.api_key) : given.api_key,
    headers:
      given.headers &&
      Object.fromEntries(
        Object.entries(given.headers).map(([name, value]) => [
          name.toLowerCase(),
          seal(headerPlace(name.toLowerCase()), value),
        ]),
      ),
  };
}
