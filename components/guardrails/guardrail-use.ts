import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { apiQuery } from "@/lib/browser/api-query";
import { listBudgets } from "@/lib/browser/operations/budgets";
import { getCoverage } from "@/lib/browser/operations/guardrails-coverage";
import type { Budget } from "@/lib/budgets/contract";
import type { Coverage } from "@/lib/guardrails/coverage-contract";

export type GuardrailUse = Coverage["guardrails"][number];

const MOST = 100;

/** What the named guardrails are assigned to. */
export const guardrailUseQuery = (workspace: string | null, ids: readonly string[]) => ({
  ...apiQuery(getCoverage, { query: { guardrail_id: [...ids], ...(workspace && { workspace_id: workspace }) } }),
  enabled: ids.length > 0,
  placeholderData: keepPreviousData,
});

/** What each of the named guardrails is assigned to; undefined while that is not known. */
export function useGuardrailUse(
  workspace: string | null,
  ids: readonly string[],
): (id: string) => GuardrailUse | undefined {
  const { data } = useQuery(guardrailUseQuery(workspace, ids));
  return (id) => data?.data.guardrails.find(({ guardrail_id }) => guardrail_id === id);
}

/** The hundred budgets that are closest to their limit. */
export const closestBudgetsQuery = (workspace: string | null) =>
  apiQuery(listBudgets, { query: { limit: MOST, ...(workspace && { workspace_id: workspace }) } });

/** Of a guardrail's budgets the one closest to its limit, if it is among the closest hundred. */
export function useClosestBudget(workspace: string | null): (id: string) => Budget | undefined {
  const { data } = useQuery(closestBudgetsQuery(workspace));
  return (id) => data?.data.find(({ guardrail_id }) => guardrail_id === id);
}
