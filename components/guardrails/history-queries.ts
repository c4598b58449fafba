import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import { parseAsInteger } from "nuqs/server";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { call, newIdempotencyKey } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery } from "@/lib/browser/api-query";
import {
  getGuardrailVersion,
  listGuardrailVersions,
  restoreGuardrailVersion,
} from "@/lib/browser/operations/guardrails-versions";
import type { Guardrail } from "@/lib/records/guardrails/contract";

/** URL state of the history: page offset and the two compared revisions. */
export const HISTORY_STATE = { offset: parseAsInteger.withDefault(0), from: parseAsInteger, to: parseAsInteger };

export const versionsQuery = (id: string, offset: number) => ({
  ...apiQuery(listGuardrailVersions, { params: { id }, query: { offset, limit: PAGE_SIZE } }),
  placeholderData: keepPreviousData,
});

/** Revisions are immutable. */
export const versionQuery = (id: string, revision: number) => ({
  ...apiQuery(getGuardrailVersion, { params: { id, n: String(revision) } }),
  staleTime: Infinity,
});

interface Restoring {
  /** The fields to restore. */
  current: Guardrail;
  revision: number;
  message: string;
}

export function useRestore() {
  const client = useQueryClient();
  return useApiMutation({
    mutationFn: ({ current, revision, message }: Restoring) =>
      call(restoreGuardrailVersion, {
        params: { id: current.id, n: String(revision) },
        body: message ? { revision_message: message } : {},
        ifMatch: current.revision,
        idempotencyKey: newIdempotencyKey(),
      }),
    onSettled: () => client.invalidateQueries(),
  });
}
