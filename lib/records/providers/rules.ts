import type { Issue } from "../../platform/api-error";
import { urlProblem } from "../../platform/outbound/blocked-address";
import { BaseUrl, type UpdateProviderBody } from "./contract";

/** Validates a provider body beyond its schema: rejects addresses that this installation doesn't allow. */
export function providerIssues(body: Readonly<Record<string, unknown>>, allowPrivate: boolean): Issue[] {
  const url = BaseUrl.safeParse(body["base_url"]);
  const problem = url.success ? urlProblem(url.data, allowPrivate) : null;
  return problem === null ? [] : [{ path: ["base_url"], message: problem, code: "address_not_allowed" }];
}

/** Removes the trailing slash of a base URL, so that paths can be appended. */
export const trimmedUrl = (url: string): string => url.replace(/\/+$/, "");

interface Stored {
  base_url: string | null;
  has_api_key: boolean;
  credential_names: readonly string[];
  header_names: readonly string[];
}

/** Reports stored secrets that would be sent to a new origin. They must be entered again or cleared. */
export function movedSecrets(stored: Stored, changes: UpdateProviderBody): Issue[] {
  if (changes.base_url === undefined || stored.base_url === null) return [];
  if (new URL(changes.base_url).origin === new URL(stored.base_url).origin) return [];
  const kept = [
    ...(stored.has_api_key && changes.api_key === undefined ? ["api_key"] : []),
    ...(stored.credential_names.length > 0 && changes.credentials === undefined ? ["credentials"] : []),
    ...(stored.header_names.length > 0 && changes.headers === undefined ? ["headers"] : []),
  ];
  return kept.map((field) => ({
    path: [field],
    message: "must be sent again or set to null when base_url changes to another origin",
    code: "required",
  }));
}

const CONNECTION_FIELDS = ["base_url", "kind", "protocol", "settings", "api_key", "credentials", "headers"] as const;

/** Returns the changed fields that the built-in provider doesn't have. */
export const builtInRefusals = (changes: UpdateProviderBody): string[] =>
  ([...CONNECTION_FIELDS, "ownership"] as const).filter((field) => changes[field] !== undefined);

/** Whether a test of the connection before the changes says nothing about it after them. */
export const changesConnection = (changes: UpdateProviderBody): boolean =>
  CONNECTION_FIELDS.some((field) => changes[field] !== undefined);

/** Shorter header values, such as versions, aren't secret and would match by chance. */
const MIN_SECRET_LENGTH = 8;

/** Truncates an upstream's message and removes the secrets sent to it. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const clean = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);
  return clean.length > 300 ? `${clean.slice(0, 300)}…` : clean;
}
