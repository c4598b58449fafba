import { isJsonObject } from "../../platform/json-values";
import type { Issue } from "../../platform/api-error";
import { within } from "../../platform/http/issues";
import {
  GUARDRAIL_FIELDS,
  GuardrailFields,
  UNRESTRICTED_FIELDS,
  type GuardrailField,
} from "../../engine/policy/contract";
import type { BuiltinFilter } from "../../engine/filters/contract";
import type { GuardrailDraft } from "./contract";
import { ExternalChecks, type ExternalCheck } from "../../engine/checks/contract";
import { BUILTIN_LABELS, defaultScanScope, MAX_CUSTOM_FILTERS } from "../../engine/filters/vocabulary";
import { urlProblem } from "../../platform/outbound/blocked-address";
import { patternProblem } from "../../engine/filters/pattern";
import { CHECK_DEFAULTS, JUDGE_DEFAULTS } from "../../engine/checks/vocabulary";
import { zdrIssues, zdrSwitches } from "../../engine/policy/zdr";

type Vendors = readonly [string, string, string];

/** Validates the patterns of custom filters; accepts any JSON value. */
export function patternIssues(filters: unknown): Issue[] {
  return (Array.isArray(filters) ? (filters as unknown[]) : [])
    .slice(0, MAX_CUSTOM_FILTERS)
    .flatMap((filter, index): Issue[] => {
      const pattern = typeof filter === "object" && filter !== null && "pattern" in filter ? filter.pattern : undefined;
      const problem = typeof pattern === "string" && pattern.length <= 10_000 ? patternProblem(pattern) : null;
      return problem ? [{ path: ["content_filters", index, "pattern"], ...problem }] : [];
    });
}

/** Validates a guardrail body beyond its schema: vendor aliases and patterns. Accepts any JSON object. */
export const guardrailIssues = (body: Readonly<Record<string, unknown>>, vendors: Vendors): Issue[] => [
  ...zdrIssues(body, vendors),
  ...patternIssues(body["content_filters"]),
];

/** Rejects addresses of external checks that this installation doesn't allow. Accepts any JSON value. */
export function checkAddressIssues(checks: unknown, allowPrivate: boolean): Issue[] {
  const { data } = ExternalChecks.safeParse(checks);
  return (data ?? []).flatMap(({ url }, index): Issue[] => {
    const problem = urlProblem(url, allowPrivate);
    return problem === null
      ? []
      : [{ path: ["external_checks", index, "url"], message: problem, code: "address_not_allowed" }];
  });
}

/** Reports stored secrets that would be sent to a new origin. They must be entered again or cleared. */
export const movedCheckSecrets = (
  stored: readonly ExternalCheck[] | null,
  checks: readonly ExternalCheck[] | null | undefined,
): Issue[] =>
  (checks ?? []).flatMap(({ name, url, secret }, index): Issue[] => {
    const old = stored?.find((check) => check.name === name);
    return old?.has_secret && secret === undefined && new URL(old.url).origin !== new URL(url).origin
      ? [
          {
            path: ["external_checks", index, "secret"],
            message: "must be sent again or set to null when url changes to another origin",
            code: "required",
          },
        ]
      : [];
  });

/** Validates a draft at a place inside the body, like `guardrailIssues`. Accepts any JSON value. */
export const draftIssues = (path: Issue["path"], draft: unknown, vendors: Vendors): Issue[] =>
  isJsonObject(draft) ? within(path, guardrailIssues({ ...draft }, vendors)) : [];

/** Reads the fields of a stored revision. Fields that didn't exist yet restrict nothing. */
export const revisionFields = (fields: unknown): GuardrailFields =>
  GuardrailFields.parse({ ...UNRESTRICTED_FIELDS, ...(fields as object) });

const withoutRepetitions = (value: unknown) => (Array.isArray(value) ? [...new Set<unknown>(value)] : value);

export type GuardrailChanges = { [Field in GuardrailField]?: GuardrailFields[Field] | undefined };

/**
 * Normalizes the fields of a create or update for storage: removes duplicates from lists, fills vendor switches from
 * `enforce_zdr`, and drops read-only builtin labels and the secrets of external checks.
 */
export function guardrailChanges(body: GuardrailDraft, vendors: Vendors): GuardrailChanges {
  const given = GUARDRAIL_FIELDS.filter((field) => body[field] !== undefined);
  const changes: GuardrailChanges = {
    ...Object.fromEntries(given.map((field) => [field, withoutRepetitions(body[field])])),
    ...zdrSwitches(body, vendors),
  };
  const builtins = changes.content_filter_builtins?.map(({ label: _, ...filter }) => filter);
  const checks = changes.external_checks?.map(({ secret: _, has_secret: __, ...check }) => ({
    ...CHECK_DEFAULTS,
    ...check,
  }));
  return {
    ...changes,
    ...(builtins && { content_filter_builtins: builtins }),
    ...(checks && { external_checks: checks }),
    ...(changes.judges && { judges: changes.judges.map((judge) => ({ ...JUDGE_DEFAULTS, ...judge })) }),
  };
}

/** Adds scope and label to builtin filters for responses. */
export const withLabels = (filters: readonly BuiltinFilter[] | null): BuiltinFilter[] | null =>
  filters?.map((filter) => ({
    ...filter,
    scan_scope: filter.scan_scope ?? (filter.scope === "response" ? "all_messages" : defaultScanScope(filter.slug)),
    label: BUILTIN_LABELS[filter.slug],
  })) ?? null;
