// oxlint-disable-next-line no-restricted-imports -- keys of the list are disabled independently of each other
import { keepPreviousData, useMutation } from "@tanstack/react-query";
import { createLoader, parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server";
import { LIST_STATE, pageOf } from "@/components/layout/list-state";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { batchesOf, type OnProgress } from "@/lib/browser/batches";
import { toFailure, type ApiFailure } from "@/lib/browser/api-failure";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, reload } from "@/lib/browser/api-query";
import { createKey, deleteKey, getKey, listKeys, rotateKey, updateKey } from "@/lib/browser/operations/keys";
import { getEffectivePolicy } from "@/lib/browser/operations/policy-check";
import { RANGES } from "@/lib/records/generations/vocabulary";
import type { Key } from "@/lib/records/keys/contract";
import { KEY_KINDS, KEY_SORTS, KEY_STATUSES } from "@/lib/records/keys/vocabulary";

/** Guardrail filter value for keys without a guardrail. */
export const NO_GUARDRAIL = "none";

/** URL state of the key list. */
export const KEY_LIST_STATE = {
  ...LIST_STATE,
  kind: parseAsStringLiteral(KEY_KINDS),
  status: parseAsStringLiteral(KEY_STATUSES),
  guardrail: parseAsString,
  tag: parseAsString,
  range: parseAsStringLiteral(RANGES).withDefault("7d"),
};
export type KeyListState = inferParserType<typeof KEY_LIST_STATE>;

export const loadKeyListState = createLoader(KEY_LIST_STATE);

/** API parameters from the list's URL state. */
export const keyListInput = ({ workspace, kind, status, guardrail, tag, ...page }: KeyListState) => ({
  ...pageOf(page, KEY_SORTS),
  include_disabled: "true" as const,
  ...(workspace && { workspace_id: workspace }),
  ...(kind && { kind }),
  ...(status && { status }),
  ...(tag && { tag }),
  ...(guardrail === NO_GUARDRAIL && { assigned: "none" as const, kind: kind ?? ("inference" as const) }),
  ...(guardrail && guardrail !== NO_GUARDRAIL && { guardrail_id: guardrail }),
});

export const keyListQuery = (state: KeyListState) => ({
  ...apiQuery(listKeys, { query: { ...keyListInput(state), range: state.range } }),
  placeholderData: keepPreviousData,
});

export const memberKeysQuery = (userId: string) =>
  apiQuery(listKeys, { query: { creator_user_id: userId, include_disabled: "true", limit: PAGE_SIZE } });

export const keyQuery = (hash: string) => apiQuery(getKey, { params: { hash } });

const refresh = reload(listKeys, getKey, getEffectivePolicy);

export const useCreateKey = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createKey>["body"]) =>
      call(createKey, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: refresh,
  });

export const useUpdateKey = (hash: string) =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof updateKey>["body"]) => call(updateKey, { params: { hash }, body }),
    onSuccess: refresh,
  });

export const useRotateKey = (hash: string) =>
  useApiMutation({
    mutationFn: (grace_seconds: number) =>
      call(rotateKey, { params: { hash }, body: { grace_seconds }, idempotencyKey: newIdempotencyKey() }),
  });

export interface Outcome {
  done: readonly Key[];
  failed: readonly { key: Key; failure: ApiFailure }[];
}

/** Maximum number of concurrent calls. */
const AT_ONCE = 10;
/** Keys that are changed by a call each, below the default rate limit of a session. */
export const MOST_ONE_BY_ONE = 1000;

/** One call per key; some may fail while others succeed. */
async function forEachKey(
  keys: readonly Key[],
  change: (key: Key) => Promise<unknown>,
  onProgress?: OnProgress,
): Promise<Outcome> {
  const results: PromiseSettledResult<unknown>[] = [];
  for (const batch of batchesOf(keys, AT_ONCE)) {
    onProgress?.(results.length);
    results.push(...(await Promise.allSettled(batch.map(change))));
  }
  const paired = keys.map((key, index) => ({ key, result: results[index] }));
  return {
    done: paired.filter(({ result }) => result?.status === "fulfilled").map(({ key }) => key),
    failed: paired.flatMap(({ key, result }) =>
      result?.status === "rejected" ? [{ key, failure: toFailure(result.reason) }] : [],
    ),
  };
}

interface DisabledChange {
  keys: readonly Key[];
  disabled: boolean;
  onProgress?: OnProgress;
}

export function useSetKeysDisabled() {
  return useMutation({
    mutationFn: ({ keys, disabled, onProgress }: DisabledChange) =>
      forEachKey(keys, ({ hash }) => call(updateKey, { params: { hash }, body: { disabled } }), onProgress),
    onSuccess: refresh,
  });
}

export const useDeleteKeys = () =>
  useApiMutation({
    mutationFn: ({ keys, onProgress }: { keys: readonly Key[]; onProgress: OnProgress }) =>
      forEachKey(keys, ({ hash }) => call(deleteKey, { params: { hash } }), onProgress),
    onSuccess: reload(listKeys),
  });
