import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, reload } from "@/lib/browser/api-query";
import { createScimToken, deleteScimToken, getDirectory, listScimTokens } from "@/lib/browser/operations/scim-tokens";

export const directoryQuery = apiQuery(getDirectory, {});

export const tokensQuery = apiQuery(listScimTokens, {});

export const useCreateToken = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createScimToken>["body"]) =>
      call(createScimToken, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: reload(listScimTokens, getDirectory),
  });

export const useDeleteToken = () =>
  useApiMutation({
    mutationFn: (id: string) => call(deleteScimToken, { params: { id } }),
    onSuccess: reload(listScimTokens, getDirectory),
  });
