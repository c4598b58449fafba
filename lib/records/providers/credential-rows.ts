import "server-only";
import type { Env } from "../../platform/env";
import type { Prisma, Provider as ProviderRow } from "../../../prisma/generated/client";
import { decrypt, encrypt } from "../../platform/secrets";
import type { Credentials } from "./kinds/kind";

const PURPOSE = "provider credentials";

/** Context of a ciphertext, which can't be decrypted anywhere else. */
const placeOf = ({ organizationId, id }: Pick<ProviderRow, "organizationId" | "id">, field: string) =>
  `${organizationId}/${id}/${field}`;
const credentialPlace = (name: string) => `credentials/${name}`;
const headerPlace = (name: string) => `headers/${name}`;

type Identity = Pick<ProviderRow, "organizationId" | "id">;
type Row = Identity & Pick<ProviderRow, "apiKeyCiphertext" | "credentials" | "headers">;
type Named = Readonly<Record<string, string>>;

/** Returns the names of a provider's headers or credentials. Their values are secret, like its key. */
export const namesOf = (sealed: unknown): string[] => Object.keys((sealed as object | null) ?? {});

const each = (named: unknown, convert: (name: string, value: string) => string): Record<string, string> =>
  Object.fromEntries(
    Object.entries((named as Named | null) ?? {}).map(([name, value]) => [name, convert(name, value)]),
  );

/** Decrypts columns. */
export function openCredentials({ secretKey, previousSecretKeys }: Env, provider: Row): Credentials {
  const open = (field: string, ciphertext: string) =>
    decrypt([secretKey, ...previousSecretKeys], PURPOSE, placeOf(provider, field), ciphertext);
  return {
    apiKey: provider.apiKeyCiphertext === null ? null : open("api_key", provider.apiKeyCiphertext),
    named: each(provider.credentials, (name, ciphertext) => open(credentialPlace(name), ciphertext)),
    headers: each(provider.headers, (name, ciphertext) => open(headerPlace(name), ciphertext)),
  };
}

interface Given {
  api_key?: string | null | undefined;
  credentials?: Readonly<Record<string, string | undefined>> | null | undefined;
  headers?: Named | null | undefined;
}

const inLowerCase = (headers: Named): Named =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Credentials of a request's body, as those of a row that would be stored from it. */
export const givenCredentials = ({ api_key, credentials, headers }: Given): Credentials => ({
  apiKey: api_key ?? null,
  named: each(credentials, (_, value) => value),
  headers: inLowerCase(headers ?? {}),
});

/** Encrypts credentials to columns; missing fields stay missing, and null clears. */
export function sealCredentials(
  { secretKey }: Env,
  provider: Identity,
  given: Given,
): {
  apiKeyCiphertext: string | null | undefined;
  credentials: Prisma.InputJsonObject | null | undefined;
  headers: Prisma.InputJsonObject | null | undefined;
} {
  const seal = (field: string, text: string) => encrypt(secretKey, PURPOSE, placeOf(provider, field), text);
  return {
    apiKeyCiphertext: given.api_key ? seal("api_key", given.api_key) : given.api_key,
    credentials: given.credentials && each(given.credentials, (name, value) => seal(credentialPlace(name), value)),
    headers: given.headers && each(inLowerCase(given.headers), (name, value) => seal(headerPlace(name), value)),
  };
}
