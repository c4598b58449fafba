import { keepPreviousData, useQuery, useQueryClient, type MutationFunctionContext } from "@tanstack/react-query";
import { pageOf, type ListPage } from "@/components/layout/list-state";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, invalidate } from "@/lib/browser/api-query";
import {
  createGuardrail,
  deleteGuardrail,
  getGuardrail,
  listGuardrails,
  updateGuardrail,
} from "@/lib/browser/operations/guardrails";
import {
  listGuardrailKeyAssignments,
  listGuardrailMemberAssignments,
} from "@/lib/browser/operations/guardrails-assignments";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { GUARDRAIL_SORTS } from "@/lib/records/guardrails/vocabulary";

export const guardrailListQuery = ({ workspace, ...page }: ListPage & { workspace: string | null }) => ({
  ...apiQuery(listGuardrails, { query: { ...pageOf(page, GUARDRAIL_SORTS), workspace_id: workspace ?? "all" } }),
  placeholderData: keepPreviousData,
});

export const guardrailQuery = (id: string) => apiQuery(getGuardrail, { params: { id } });

/** Number of keys and members a guardrail is assigned to; undefined until both have loaded. */
export function useAssignmentCounts(id: string): { keys: number; members: number } | undefined {
  const input = { params: { id }, query: { limit: 1 } };
  const keys = useQuery(apiQuery(listGuardrailKeyAssignments, input)).data;
  const members = useQuery(apiQuery(listGuardrailMemberAssignments, input)).data;
  return keys && members && { keys: keys.total_count, members: members.total_count };
}

/** Caches the updated guardrail and invalidates the lists. */
async function remember(
  { data }: { data: Guardrail },
  _variables: unknown,
  _result: unknown,
  { client }: MutationFunctionContext,
) {
  client.setQueryData(guardrailQuery(data.id).queryKey, { data });
  await invalidate(client, listGuardrails);
}

export const useCreateGuardrail = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createGuardrail>["body"]) =>
      call(createGuardrail, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: remember,
  });

type GuardrailChange = Pick<CallInput<typeof updateGuardrail>, "body"> & { base: Guardrail };

export const useUpdateGuardrail = () =>
  useApiMutation({
    mutationFn: ({ base, body }: GuardrailChange) =>
      call(updateGuardrail, { params: { id: base.id }, body, ifMatch: base.revision }),
    onSuccess: remember,
  });

export function useDeleteGuardrail() {
  const queryClient = useQueryClient();
  return useApiMutation({
    mutationFn: ({ id }: Guardrail) => call(deleteGuardrail, { params: { id } }),
    onSuccess: async (_, { id }) => {
      queryClient.removeQueries({ queryKey: guardrailQuery(id).queryKey });
      await invalidate(queryClient, listGuardrails);
    },
  });
}
