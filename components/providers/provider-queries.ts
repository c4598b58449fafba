import { keepPreviousData, type MutationFunctionContext, type QueryFunctionContext } from "@tanstack/react-query";
import { createLoader, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { pageOf, type ListPage, LIST_STATE } from "@/components/layout/list-state";
import { call, newIdempotencyKey, type Answer, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, invalidate, reload } from "@/lib/browser/api-query";
import { listCatalogueProviders } from "@/lib/browser/operations/catalogue";
import { listModels } from "@/lib/browser/operations/models";
import {
  createProvider,
  deleteProvider,
  getProvider,
  listProviderHealth,
  listProviders,
  testNewProvider,
  testProvider,
  updateProvider,
} from "@/lib/browser/operations/providers";
import { importModels } from "@/lib/browser/operations/providers-import";
import type { Provider } from "@/lib/records/providers/contract";

const TABS = ["providers", "models"] as const;

/** URL state: tab, page offset, and the open model. */
export const PROVIDERS_STATE = {
  ...LIST_STATE,
  tab: parseAsStringLiteral(TABS).withDefault("providers"),
  provider: parseAsString,
  model: parseAsString,
};

export const loadProvidersState = createLoader(PROVIDERS_STATE);

export const providerListQuery = (state: ListPage) => ({
  ...apiQuery(listProviders, { query: pageOf(state, ["name", "slug", "created_at"]) }),
  placeholderData: keepPreviousData,
});

const MAX_CHOICES = 100;

/** Provider options, sorted by name. */
export const providerChoicesQuery = apiQuery(listProviders, { query: { limit: MAX_CHOICES, sort: "name" } });

export const providerQuery = (slug: string) => apiQuery(getProvider, { params: { slug } });

export const catalogueQuery = {
  ...apiQuery(listCatalogueProviders, { query: { limit: MAX_CHOICES } }),
  staleTime: Infinity,
};

export const healthQuery = apiQuery(listProviderHealth, {});

const MAX_SERVED = 1000;

/** Models of a provider. */
export const servedModelsQuery = (provider: string) => apiQuery(listModels, { query: { provider, limit: MAX_SERVED } });

/** Connection test; only run on demand. Its result is the provider's last test. */
export const connectionQuery = (slug: string) => ({
  ...apiQuery(testProvider, { params: { slug } }),
  queryFn: async ({ client, signal }: QueryFunctionContext) => {
    const answer = await call(testProvider, { params: { slug }, signal });
    client.setQueryData(
      providerQuery(slug).queryKey,
      (known: Answer<typeof getProvider> | undefined) => known && { data: { ...known.data, last_test: answer.data } },
    );
    await invalidate(client, listProviders);
    return answer;
  },
  staleTime: Infinity,
  retry: false,
});

export const useTestNewProvider = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof testNewProvider>["body"]) => call(testNewProvider, { body }),
  });

export type ImportSource = "upstream" | "catalogue";

/** Dry run of an import; never cached. */
export const importPreviewQuery = (slug: string, source: ImportSource) => ({
  ...apiQuery(importModels, { params: { slug }, body: { source, dry_run: true } }),
  staleTime: Infinity,
  gcTime: 0,
  retry: false,
});

/** Caches the changed provider and tests its connection. */
async function remember(
  { data }: { data: Provider },
  _variables: unknown,
  _result: unknown,
  { client }: MutationFunctionContext,
) {
  client.setQueryData(providerQuery(data.slug).queryKey, { data });
  void client.query({ ...connectionQuery(data.slug), staleTime: 0 }).catch(() => undefined);
  await invalidate(client, listProviders);
}

export const useCreateProvider = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createProvider>["body"]) =>
      call(createProvider, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: remember,
  });

export const useUpdateProvider = (slug: string) =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof updateProvider>["body"]) => call(updateProvider, { params: { slug }, body }),
    onSuccess: remember,
  });

export const useDeleteProvider = () =>
  useApiMutation({
    mutationFn: ({ slug }: Provider) => call(deleteProvider, { params: { slug } }),
    onSuccess: reload(listProviders, listModels),
  });

export const useImportModels = (slug: string) =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof importModels>["body"]) => call(importModels, { params: { slug }, body }),
    onSuccess: reload(listModels, listProviders, getProvider),
  });
