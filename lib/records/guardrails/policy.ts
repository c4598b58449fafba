import type { Issue } from "../../platform/api-error";
import { within } from "../../platform/http/issues";
import type { BuiltinFilter, GuardrailDraft } from "./contract";
import { BUILTIN_LABELS } from "./vocabulary";
import { patternProblem } from "../../engine/filters/pattern";
import { zdrIssues, zdrSwitches } from "../../engine/policy/zdr";

type Vendors = readonly [string, string, string];

/** Validates the patterns of custom filters; accepts any JSON value. */
export function patternIssues(filters: unknown): Issue[] {
  return (Array.isArray(filters) ? (filters as unknown[]) : []).flatMap((filter, index): Issue[] => {
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

/** The same for a draft at a place inside the body; takes any JSON value. */
export const draftIssues = (path: Issue["path"], draft: unknown, vendors: Vendors): Issue[] =>
  typeof draft === "object" && draft !== null && !Array.isArray(draft)
    ? within(path, guardrailIssues({ ...draft }, vendors))
    : [];

const unique = (slugs: readonly string[] | null | undefined) => (slugs ? [...new Set(slugs)] : slugs);

/**
 * Normalizes the fields of a create or update for storage: removes duplicates from lists, fills vendor switches from
 * `enforce_zdr`, and drops read-only builtin labels.
 */
export function guardrailChanges(body: GuardrailDraft, vendors: Vendors) {
  return {
    name: body.name,
    description: body.description,
    allowed_models: unique(body.allowed_models),
    ignored_models: unique(body.ignored_models),
    allowed_providers: unique(body.allowed_providers),
    ignored_providers: unique(body.ignored_providers),
    limit_usd: body.limit_usd,
    reset_interval: body.reset_interval,
    include_byok_in_budgets: body.include_byok_in_budgets,
    enforce_zdr: body.enforce_zdr,
    ...zdrSwitches(body, vendors),
    content_filter_builtins:
      body.content_filter_builtins?.map(({ label: _, ...filter }) => filter) ?? body.content_filter_builtins,
    content_filters: body.content_filters,
  };
}
export type GuardrailChanges = ReturnType<typeof guardrailChanges>;

/** Adds scope and label to builtin filters for responses. */
export const withLabels = (filters: readonly BuiltinFilter[] | null): BuiltinFilter[] | null =>
  filters?.map((filter) => ({
    ...filter,
    scan_scope: filter.scan_scope ?? "all_messages",
    label: BUILTIN_LABELS[filter.slug],
  })) ?? null;
