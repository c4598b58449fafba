import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMay } from "@/components/session/user-context";
import { apiQuery } from "@/lib/browser/api-query";
import { listBudgets } from "@/lib/browser/operations/budgets";
import { getCoverage } from "@/lib/browser/operations/coverage";
import type { Budget } from "@/lib/records/budgets/contract";
import type { Coverage } from "@/lib/features/coverage/contract";

export type GuardrailUse = Coverage["guardrails"][number];

const MOST = 100;

/** Assignments of the given guardrails. */
export const guardrailUseQuery = (workspace: string | null, ids: readonly string[]) => ({
  ...apiQuery(getCoverage, { query: { guardrail_id: [...ids], ...(workspace && { workspace_id: workspace }) } }),
  placeholderData: keepPreviousData,
});

/** Assignments of each given guardrail; undefined until loaded. */
export function useGuardrailUse(
  workspace: string | null,
  ids: readonly string[],
): (id: string) => GuardrailUse | undefined {
  const canSee = useMay(getCoverage);
  const { data } = useQuery({ ...guardrailUseQuery(workspace, ids), enabled: canSee && ids.length > 0 });
  return (id) => data?.data.guardrails.find(({ guardrail_id }) => guardrail_id === id);
}

/** The hundred budgets closest to their limit. */
export const closestBudgetsQuery = (workspace: string | null) =>
  apiQuery(listBudgets, { query: { limit: MOST, ...(workspace && { workspace_id: workspace }) } });

/** The guardrail's budget closest to its limit, if it is among the hundred loaded. */
export function useClosestBudget(workspace: string | null): (id: string) => Budget | undefined {
  const { data } = useQuery(closestBudgetsQuery(workspace));
  return (id) => data?.data.find(({ guardrail_id }) => guardrail_id === id);
}
