import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, invalidate } from "@/lib/browser/api-query";
import { createModel, deleteModel, getModel, listModels, updateModel } from "@/lib/browser/operations/models";
import { getProvider, listProviders } from "@/lib/browser/operations/providers";
import type { Model } from "@/lib/records/models/contract";

const SORTS = ["slug", "-slug", "name", "-name", "vendor", "-vendor", "created_at", "-created_at"] as const;

interface ListState {
  offset: number;
  sort: string | null;
  q: string | null;
  provider: string | null;
}

/** Query for the page of the list that the URL describes. An unknown sort falls back to the default. */
export const modelListQuery = ({ offset, sort, q, provider }: ListState) => ({
  ...apiQuery(listModels, {
    query: {
      offset,
      limit: PAGE_SIZE,
      ...(q?.trim() && { q: q.trim() }),
      ...(provider && { provider }),
      sort: SORTS.find((one) => one === sort),
    },
  }),
  placeholderData: keepPreviousData,
});

export const modelQuery = (slug: string) => apiQuery(getModel, { params: { slug } });

function useCacheGuardrail() {
  const client = useQueryClient();
  return async (data: Model) => {
    const { id, object, created, owned_by } = data;
    client.setQueryData(modelQuery(data.slug).queryKey, { id, object, created, owned_by, data });
    await invalidate(client, listModels, listProviders, getProvider);
  };
}

export function useCreateModel() {
  const remember = useCacheGuardrail();
  return useApiMutation({
    mutationFn: (body: CallInput<typeof createModel>["body"]) =>
      call(createModel, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: ({ data }) => remember(data),
  });
}

export function useUpdateModel(slug: string) {
  const remember = useCacheGuardrail();
  return useApiMutation({
    mutationFn: (body: CallInput<typeof updateModel>["body"]) => call(updateModel, { params: { slug }, body }),
    onSuccess: ({ data }) => remember(data),
  });
}

export function useDeleteModel() {
  const client = useQueryClient();
  return useApiMutation({
    mutationFn: ({ slug }: Model) => call(deleteModel, { params: { slug } }),
    onSuccess: () => invalidate(client, listModels, listProviders, getProvider),
  });
}
