import { keepPreviousData, type MutationFunctionContext } from "@tanstack/react-query";
import { pageOf, type ListPage } from "@/components/layout/list-state";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, invalidate, reload } from "@/lib/browser/api-query";
import { createModel, deleteModel, getModel, listModels, updateModel } from "@/lib/browser/operations/models";
import { getProvider, listProviders } from "@/lib/browser/operations/providers";
import type { Model } from "@/lib/records/models/contract";

const SORTS = ["slug", "name", "vendor", "created_at"] as const;

export const modelListQuery = ({ provider, ...page }: ListPage & { provider: string | null }) => ({
  ...apiQuery(listModels, { query: { ...pageOf(page, SORTS), ...(provider && { provider }) } }),
  placeholderData: keepPreviousData,
});

export const modelQuery = (slug: string) => apiQuery(getModel, { params: { slug } });

async function remember(
  { data }: { data: Model },
  _variables: unknown,
  _result: unknown,
  { client }: MutationFunctionContext,
) {
  const { id, object, created, owned_by } = data;
  client.setQueryData(modelQuery(data.slug).queryKey, { id, object, created, owned_by, data });
  await invalidate(client, listModels, listProviders, getProvider);
}

export const useCreateModel = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createModel>["body"]) =>
      call(createModel, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: remember,
  });

export const useUpdateModel = (slug: string) =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof updateModel>["body"]) => call(updateModel, { params: { slug }, body }),
    onSuccess: remember,
  });

export const useDeleteModel = () =>
  useApiMutation({
    mutationFn: ({ slug }: Model) => call(deleteModel, { params: { slug } }),
    onSuccess: reload(listModels, listProviders, getProvider),
  });
