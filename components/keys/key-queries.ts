import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { createKey, deleteKey, listKeys, updateKey, type Key } from "@/lib/keys/contract";

const keyKeys = { all: ["keys"], list: (offset: number) => [...keyKeys.all, "list", offset] } as const;

export const keyListQuery = (offset: number) =>
  queryOptions({
    queryKey: keyKeys.list(offset),
    queryFn: ({ signal }) => call(listKeys, { query: { offset, limit: PAGE_SIZE, include_disabled: "true" }, signal }),
    placeholderData: keepPreviousData,
  });

function useRefreshKeys() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: keyKeys.all });
}

export function useCreateKey() {
  const refresh = useRefreshKeys();
  return useMutation({
    mutationFn: (body: CallInput<typeof createKey>["body"]) => call(createKey, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: refresh,
  });
}

export function useSetKeyDisabled() {
  const refresh = useRefreshKeys();
  return useMutation({
    mutationFn: ({ key, disabled }: { key: Key; disabled: boolean }) => call(updateKey, { params: { hash: key.hash }, body: { disabled } }),
    onSuccess: refresh,
  });
}

export function useDeleteKey() {
  const refresh = useRefreshKeys();
  return useMutation({ mutationFn: ({ hash }: Key) => call(deleteKey, { params: { hash } }), onSuccess: refresh });
}
