import { unauthorized } from "../platform/api-error";
import type { ApiRequest } from "../platform/http/api-request";
import { KEY_HEADERS } from "../platform/http/vocabulary";

/**
 * Returns the key of a request, from `Authorization: Bearer`, `x-api-key` or `api-key`; null without a key. Headers with different
 * keys are rejected, because either could be meant.
 */
export function givenKey(headers: ApiRequest["headers"]): string | null {
  const authorization = headers.get("authorization");
  const bearer = authorization === null ? null : (/^bearer +(\S+)$/i.exec(authorization)?.[1] ?? "");
  const given = [
    ["Authorization", bearer] as const,
    ...KEY_HEADERS.map((name) => [name, headers.get(name) || null] as const),
  ];
  const [first, ...others] = given.filter(([, key]) => key !== null);
  if (!first) return null;
  const other = others.find(([, key]) => key !== first[1]);
  if (other) throw unauthorized(`Invalid credentials: ${first[0]} and ${other[0]} differ`);
  if (first[1] === "") throw unauthorized("Invalid credentials");
  return first[1];
}

/** True when a request carries a key, valid or not. */
export const hasKey = (headers: ApiRequest["headers"]): boolean =>
  headers.has("authorization") || KEY_HEADERS.some((name) => headers.get(name));
