import { keepPreviousData } from "@tanstack/react-query";
import { call, type CallInput } from "@/lib/browser/api-client";
import { apiQuery } from "@/lib/browser/api-query";
import { lintGuardrail } from "@/lib/browser/operations/lint";
import type { LintFinding } from "@/lib/features/lint/contract";
import type { GuardrailValues } from "./guardrail-values";

type Sent = CallInput<typeof lintGuardrail>["body"]["guardrail"];

interface Draft {
  /** The fields to lint. */
  fields: Sent;
  /** Form index of each filter sent. */
  filterPlaces: number[];
}

/** The lintable part of a draft: without name and description, and without filters that have no pattern yet. */
export function lintableDraft(
  { name: _, description: __, content_filters, ...fields }: GuardrailValues,
  of: { id?: string; workspace_id?: string },
): Draft {
  const filters = content_filters ?? [];
  const filterPlaces = filters.flatMap(({ pattern }, index) => (pattern === "" ? [] : [index]));
  return {
    fields: { ...fields, ...of, content_filters: filters.filter(({ pattern }) => pattern !== "") },
    filterPlaces,
  };
}

/** Findings for the draft about to be saved. Empty when linting fails, since the save then reports the reason. */
export async function findingsOf(
  values: GuardrailValues,
  of: { id?: string; workspace_id?: string },
): Promise<LintFinding[]> {
  const answer = await call(lintGuardrail, { body: { guardrail: lintableDraft(values, of).fields } }).catch(() => null);
  return answer?.data ?? [];
}

export const errorsOf = (findings: readonly LintFinding[]) => findings.filter(({ severity }) => severity === "error");
export const warningsOf = (findings: readonly LintFinding[]) =>
  findings.filter(({ severity }) => severity === "warning");

/** Lint findings of a draft, with filters numbered as in the form. */
export const lintQuery = ({ fields, filterPlaces }: Draft) => ({
  ...apiQuery(lintGuardrail, { body: { guardrail: fields } }),
  placeholderData: keepPreviousData,
  retry: false,
  select: ({ data }: { data: LintFinding[] }) =>
    data.map((finding): LintFinding => {
      const [field, index, ...rest] = finding.path;
      return field === "content_filters" && typeof index === "number"
        ? { ...finding, path: [field, filterPlaces[index] ?? index, ...rest] }
        : finding;
    }),
});
