import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { listGuardrailKeyAssignments, listGuardrailMemberAssignments } from "@/lib/guardrails/assignments-contract";
import { createGuardrail, deleteGuardrail, getGuardrail, listGuardrails, updateGuardrail, type Guardrail } from "@/lib/guardrails/contract";

const guardrailKeys = {
  all: ["guardrails"],
  list: (offset: number) => [...guardrailKeys.all, "list", offset],
  detail: (id: string) => [...guardrailKeys.all, "detail", id],
} as const;

export const guardrailListQuery = (offset: number) =>
  queryOptions({
    queryKey: guardrailKeys.list(offset),
    queryFn: ({ signal }) => call(listGuardrails, { query: { offset, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });

export const guardrailQuery = (id: string) =>
  queryOptions({
    queryKey: guardrailKeys.detail(id),
    queryFn: ({ signal }) => call(getGuardrail, { params: { id }, signal }).then(({ data }) => data),
  });

/** How many keys and members a guardrail is assigned to. */
export const assignmentCountsQuery = (id: string) =>
  queryOptions({
    queryKey: [...guardrailKeys.detail(id), "assignment-counts"],
    queryFn: async ({ signal }) => {
      const input = { params: { id }, query: { limit: 1 }, signal };
      const [keys, members] = await Promise.all([call(listGuardrailKeyAssignments, input), call(listGuardrailMemberAssignments, input)]);
      return { keys: keys.total_count, members: members.total_count };
    },
  });

/** Keeps a changed guardrail as the newest, and has the lists asked for again. */
function useRemember() {
  const queryClient = useQueryClient();
  return async (guardrail: Guardrail) => {
    queryClient.setQueryData(guardrailQuery(guardrail.id).queryKey, guardrail);
    await queryClient.invalidateQueries({ queryKey: [...guardrailKeys.all, "list"] });
  };
}

export function useCreateGuardrail() {
  const remember = useRemember();
  return useMutation({
    mutationFn: (body: CallInput<typeof createGuardrail>["body"]) => call(createGuardrail, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: ({ data }) => remember(data),
  });
}

type GuardrailChange = Pick<CallInput<typeof updateGuardrail>, "body"> & { base: Guardrail };

export function useUpdateGuardrail() {
  const remember = useRemember();
  return useMutation({
    mutationFn: ({ base, body }: GuardrailChange) => call(updateGuardrail, { params: { id: base.id }, body, ifMatch: base.revision }),
    onSuccess: ({ data }) => remember(data),
  });
}

export function useDeleteGuardrail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Guardrail) => call(deleteGuardrail, { params: { id } }),
    onSuccess: async (_, { id }) => {
      queryClient.removeQueries({ queryKey: guardrailKeys.detail(id) });
      await queryClient.invalidateQueries({ queryKey: [...guardrailKeys.all, "list"] });
    },
  });
}
