import { infiniteQueryOptions, queryOptions, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, invalidate, transportOf } from "@/lib/browser/api-query";
import {
  getGeneration,
  getGenerationNeighbours,
  listGenerations,
  tailGenerations,
} from "@/lib/browser/operations/generations";
import { deleteGenerationContent, getGenerationContent } from "@/lib/browser/operations/content-access";
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  updateSavedView,
} from "@/lib/browser/operations/saved-views";
import type { Generation, GenerationFilters } from "@/lib/records/generations/contract";
import type { SavedView } from "@/lib/records/saved-views/contract";
import type { LogSort } from "./generation-list-state";

/** Rows per API request. */
const ROWS_AT_ONCE = 50;

export interface Log {
  filters: GenerationFilters;
  /** By default, newest first. */
  sort?: LogSort | null;
}

const logPage = (client: QueryClient, { filters, sort }: Log, cursor: string | null, signal: AbortSignal) =>
  transportOf(client)(listGenerations, {
    query: { ...filters, limit: ROWS_AT_ONCE, ...(sort && { sort }), ...(cursor !== null && { cursor }) },
    signal,
  });

const logKey = ({ filters, sort = null }: Log) => [listGenerations.id, "log", filters, sort];

/** Filtered log, loaded page by page while scrolling. */
export const generationLogQuery = (log: Log) =>
  infiniteQueryOptions({
    queryKey: logKey(log),
    queryFn: ({ client, pageParam, signal }) => logPage(client, log, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

/** First page of the log in the shape of the infinite query, for prefetching on the server. */
export const firstLogPageQuery = (log: Log) => ({
  queryKey: logKey(log),
  queryFn: async ({ client, signal }: { client: QueryClient; signal: AbortSignal }) => ({
    pages: [await logPage(client, log, null, signal)],
    pageParams: [null],
  }),
});

interface Tail {
  cursor: string;
  /** In record order. */
  arrived: readonly Generation[];
}

const POLL_MS = 2000;
const MOST_AT_ONCE = 100;

/** Polls for new generations. Pauses while the page is hidden and catches up afterwards. */
export const tailQuery = (filters: GenerationFilters, isLive: boolean) =>
  queryOptions({
    queryKey: [tailGenerations.id, filters],
    queryFn: async ({ client, queryKey, signal }): Promise<Tail> => {
      const before = client.getQueryData<Tail>(queryKey);
      const { data, next_cursor } = await call(tailGenerations, {
        query: { ...filters, limit: MOST_AT_ONCE, ...(before && { since: before.cursor }) },
        signal,
      });
      // Generations recorded between loading the list and the first cursor.
      if (!before) await client.refetchQueries({ queryKey: logKey({ filters }) });
      return { cursor: next_cursor, arrived: [...(before?.arrived ?? []), ...data] };
    },
    enabled: isLive,
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
  });

/** Resets the log, newest first, to its first page, dropping later pages and live rows. */
export async function resetLog(client: QueryClient, filters: GenerationFilters): Promise<void> {
  const { queryKey } = tailQuery(filters, true);
  const shown = client.getQueryData(queryKey)?.arrived.length ?? 0;
  const log = { filters };
  client.setQueryData(
    generationLogQuery(log).queryKey,
    (rows) => rows && { pages: rows.pages.slice(0, 1), pageParams: rows.pageParams.slice(0, 1) },
  );
  await client.refetchQueries({ queryKey: logKey(log) });
  client.setQueryData(queryKey, (tail) => tail && { ...tail, arrived: tail.arrived.slice(shown) });
}

/** Up to two generations of a request: most have one. */
export const requestQuery = (request_id: string) => apiQuery(listGenerations, { query: { request_id, limit: 2 } });

export const generationQuery = (id: string) => apiQuery(getGeneration, { query: { id } });

/** Stored content is immutable. */
export const generationContentQuery = (id: string) => ({
  ...apiQuery(getGenerationContent, { query: { id } }),
  staleTime: Infinity,
});

/** Unmasked content, given a reason. Held by the component that shows it and never cached. */
export const useRevealContent = (id: string) =>
  useApiMutation({
    mutationFn: (reason: string) => call(getGenerationContent, { query: { id, reveal: "true", reason } }),
    gcTime: 0,
  });

export const neighboursQuery = (id: string, { filters, sort }: Log) =>
  apiQuery(getGenerationNeighbours, { query: { ...filters, id, ...(sort && { sort }) } });

export function useDeleteContent(id: string) {
  const queryClient = useQueryClient();
  return useApiMutation({
    mutationFn: () => call(deleteGenerationContent, { query: { id } }),
    onSuccess: () => invalidate(queryClient, getGeneration, getGenerationContent),
  });
}

export const savedViewsQuery = apiQuery(listSavedViews, { query: { page: "generations", limit: 100 } });

export function useCreateSavedView() {
  const queryClient = useQueryClient();
  return useApiMutation({
    mutationFn: (body: CallInput<typeof createSavedView>["body"]) =>
      call(createSavedView, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: () => invalidate(queryClient, listSavedViews),
  });
}

interface SavedViewValues extends Pick<SavedView, "name" | "is_shared"> {
  replacesQuery: boolean;
}

/** Saves the query as a new view, or changes a view. */
export function useSaveView(view: SavedView | null, query: string) {
  const queryClient = useQueryClient();
  return useApiMutation({
    mutationFn: ({ replacesQuery, ...values }: SavedViewValues) =>
      view
        ? call(updateSavedView, { params: { id: view.id }, body: { ...values, ...(replacesQuery && { query }) } })
        : call(createSavedView, {
            body: { ...values, page: "generations", query },
            idempotencyKey: newIdempotencyKey(),
          }),
    onSuccess: () => invalidate(queryClient, listSavedViews),
  });
}

export function useDeleteSavedView() {
  const queryClient = useQueryClient();
  return useApiMutation({
    mutationFn: ({ id }: SavedView) => call(deleteSavedView, { params: { id } }),
    onSuccess: () => invalidate(queryClient, listSavedViews),
  });
}
