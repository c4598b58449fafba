import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDebounced } from "@/components/ui/use-debounced";
import { call, type CallInput } from "@/lib/browser/api-client";
import { apiQuery } from "@/lib/browser/api-query";
import { lintGuardrail } from "@/lib/browser/operations/lint";
import type { LintFinding } from "@/lib/features/lint/contract";
import type { GuardrailValues } from "./guardrail-values";

type Sent = CallInput<typeof lintGuardrail>["body"]["guardrail"];

/** The stored guardrail of the draft, or the workspace of one that hasn't been created yet. */
export interface LintedOwner {
  id?: string;
  workspace_id?: string;
}

interface Draft {
  /** The fields to lint. */
  fields: Sent;
  /** Form index of each filter and external check sent. */
  places: { content_filters: number[]; external_checks: number[] };
}

/**
 * The lintable part of a draft: without name and description, filters that have no pattern yet, checks that have no name
 * or URL yet, and secrets.
 */
export function lintableDraft(
  { name: _, description: __, content_filters, external_checks, judges, ...fields }: GuardrailValues,
  of: LintedOwner,
): Draft {
  const filters = content_filters ?? [];
  const checks = external_checks ?? [];
  const complete = (judges ?? []).filter(({ name, model, instructions }) => name && model && instructions);
  const isComplete = ({ name, url }: (typeof checks)[number]) => name !== "" && URL.canParse(url);
  return {
    fields: {
      ...fields,
      ...of,
      content_filters: filters.filter(({ pattern }) => pattern !== ""),
      judges: complete,
      external_checks: checks
        .filter(isComplete)
        .map(({ secret, ...check }) => ({ ...check, has_secret: secret ? true : secret !== null && check.has_secret })),
    },
    places: {
      content_filters: filters.flatMap(({ pattern }, index) => (pattern === "" ? [] : [index])),
      external_checks: checks.flatMap((check, index) => (isComplete(check) ? [index] : [])),
    },
  };
}

/** The same, with entered secrets, for trying a check. */
export function triableDraft(values: GuardrailValues, of: { id?: string }): Sent {
  const { fields, places } = lintableDraft(values, of);
  return {
    ...fields,
    external_checks: places.external_checks.flatMap((index) => values.external_checks?.[index] ?? []),
  };
}

/** Findings for the draft about to be saved. Empty when linting fails, since the save then reports the reason. */
export async function findingsOf(values: GuardrailValues, of: LintedOwner): Promise<LintFinding[]> {
  const answer = await call(lintGuardrail, { body: { guardrail: lintableDraft(values, of).fields } }).catch(() => null);
  return answer?.data ?? [];
}

export const errorsOf = (findings: readonly LintFinding[]) => findings.filter(({ severity }) => severity === "error");
export const warningsOf = (findings: readonly LintFinding[]) =>
  findings.filter(({ severity }) => severity === "warning");

/** Findings for a draft while it is edited. */
export const useLint = (draft: GuardrailValues, owner: LintedOwner) =>
  useQuery(lintQuery(lintableDraft(useDebounced(draft), owner)));

/** Lint findings of a draft, with filters and checks numbered as in the form. */
const lintQuery = ({ fields, places }: Draft) => ({
  ...apiQuery(lintGuardrail, { body: { guardrail: fields } }),
  placeholderData: keepPreviousData,
  retry: false,
  select: ({ data }: { data: LintFinding[] }) =>
    data.map((finding): LintFinding => {
      const [field, index, ...rest] = finding.path;
      return (field === "content_filters" || field === "external_checks") && typeof index === "number"
        ? { ...finding, path: [field, places[field][index] ?? index, ...rest] }
        : finding;
    }),
});
