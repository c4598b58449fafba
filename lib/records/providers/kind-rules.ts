import type { Issue } from "../../platform/api-error";
import { issueMessage } from "../../platform/http/issue-message";
import { toIssues } from "../../platform/http/issues";
import type { UpdateProviderBody } from "./contract";
import { PARTS_OF, ProviderCredentials, ProviderSettings } from "./kinds-contract";
import { PROTOCOLS_OF, PROVIDER_KINDS, type ProviderKind } from "./vocabulary";
import type { UpstreamProtocol } from "../../engine/protocols/vocabulary";

type Body = Readonly<Record<string, unknown>>;

/**
 * Validates a new provider against its kind: its protocol, settings and credentials. Fields that their schema rejects
 * are skipped.
 */
export function kindIssues({ kind = "openai", protocol, settings, credentials, api_key }: Body): Issue[] {
  const known = PROVIDER_KINDS.find((one) => one === kind);
  if (!known) return [];
  const given = ProviderCredentials.safeParse(credentials ?? {});
  const wantsCredentials = credentials !== undefined && credentials !== null;
  return [
    ...protocolIssues(known, protocol),
    ...settingsIssues(known, settings),
    ...(wantsCredentials && given.success ? partIssues("credentials", PARTS_OF[known].credentials, given.data) : []),
    ...(wantsCredentials && (api_key ?? null) !== null
      ? [{ path: ["api_key"], message: "must be omitted when credentials are given", code: "conflict" }]
      : []),
  ];
}

interface Stored {
  kind: ProviderKind;
  protocol: UpstreamProtocol;
  settings: ProviderSettings | null;
  has_api_key: boolean;
  credential_names: readonly string[];
}

/** Validates changes of a provider against its kind after the change. */
export function changedKindIssues(stored: Stored, changes: UpdateProviderBody): Issue[] {
  const { kind = stored.kind, protocol = stored.protocol, settings = stored.settings } = changes;
  const keepsKey = changes.api_key === undefined && stored.has_api_key;
  const keepsCredentials = changes.credentials === undefined && stored.credential_names.length > 0;
  return [
    ...kindIssues({ ...changes, kind, protocol, settings }),
    ...(kind !== stored.kind && keepsCredentials
      ? [{ path: ["credentials"], message: "must be sent again or set to null when kind changes", code: "required" }]
      : []),
    ...(keepsKey && changes.credentials
      ? [{ path: ["api_key"], message: "must be null when credentials are given", code: "conflict" }]
      : []),
    ...(keepsCredentials && changes.api_key
      ? [{ path: ["credentials"], message: "must be null when api_key is given", code: "conflict" }]
      : []),
  ];
}

function protocolIssues(kind: ProviderKind, protocol: unknown): Issue[] {
  const spoken: readonly unknown[] = PROTOCOLS_OF[kind];
  if (protocol === undefined || protocol === null || spoken.includes(protocol)) return [];
  return [{ path: ["protocol"], message: `must be ${spoken.join(" or ")} for ${kind}`, code: "invalid_value" }];
}

function settingsIssues(kind: ProviderKind, settings: unknown): Issue[] {
  const given = ProviderSettings.safeParse(settings ?? {});
  return given.success ? partIssues("settings", PARTS_OF[kind].settings, given.data) : [];
}

function partIssues(field: string, schema: (typeof PARTS_OF)[ProviderKind]["settings" | "credentials"], given: object) {
  const { error } = schema.safeParse(given, { error: issueMessage });
  return error ? error.issues.flatMap((issue) => toIssues(issue, [field])).map(named) : [];
}

const named = (issue: Issue): Issue =>
  issue.code === "unrecognized_keys" ? { ...issue, message: "doesn't apply to this kind" } : issue;
