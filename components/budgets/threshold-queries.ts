import { useQueryClient } from "@tanstack/react-query";
import { call } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery } from "@/lib/browser/api-query";
import { getGuardrailThresholds, updateGuardrailThresholds } from "@/lib/browser/operations/budgets-thresholds";

export const thresholdsQuery = (guardrailId: string) =>
  apiQuery(getGuardrailThresholds, { params: { id: guardrailId } });

/** Null for the organization's default. */
export function useSetThresholds(guardrailId: string) {
  const client = useQueryClient();
  return useApiMutation({
    mutationFn: (percents: number[] | null) =>
      call(updateGuardrailThresholds, { params: { id: guardrailId }, body: { percents } }),
    onSuccess: (answer) => client.setQueryData(thresholdsQuery(guardrailId).queryKey, answer),
  });
}
