import type { QueryClient } from "@tanstack/react-query";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, invalidate, reload } from "@/lib/browser/api-query";
import { createException, endException, listExceptions } from "@/lib/browser/operations/exceptions";
import { lintGuardrail } from "@/lib/browser/operations/lint";
import { getEffectivePolicy } from "@/lib/browser/operations/policy-check";
import type { Exception } from "@/lib/records/exceptions/contract";

/** Key or member that exceptions belong to. */
export type ExceptionSubject = { key_hash: string } | { user_id: string };

const SHOWN = 20;
const SOON_MS = 5_000;
const DAY_MS = 86_400_000;

/** Refetches after the first exception's countdown has ended, until the server agrees: its clock may be behind. */
const refetchAtEnd = {
  refetchInterval: ({ state: { data } }: { state: { data: { data: readonly Exception[] } | undefined } }) => {
    const active = data?.data.filter(({ status }) => status === "active") ?? [];
    const left = Math.min(...active.map(({ expires_at }) => Date.parse(expires_at) - Date.now()));
    return active.length > 0 && Math.min(Math.max(left, 0) + SOON_MS, DAY_MS);
  },
};

/** Newest exceptions, active and past. */
export const exceptionListQuery = (subject: ExceptionSubject) => ({
  ...apiQuery(listExceptions, { query: { ...subject, limit: SHOWN } }),
  ...refetchAtEnd,
});

/** Newest active exceptions to a guardrail, and their number. */
export const activeExceptionsQuery = (guardrailId: string) => ({
  ...apiQuery(listExceptions, { query: { guardrail_id: guardrailId, active: "true", limit: SHOWN } }),
  ...refetchAtEnd,
});

const AFFECTED = [listExceptions, getEffectivePolicy, lintGuardrail] as const;

export const refreshExceptions = (client: QueryClient) => invalidate(client, ...AFFECTED);

export type Grant = CallInput<typeof createException>["body"];

export const useGrantException = () =>
  useApiMutation({
    mutationFn: (body: Grant) => call(createException, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: reload(...AFFECTED),
  });

export const useEndException = () =>
  useApiMutation({
    mutationFn: (id: string) => call(endException, { params: { id } }),
    onSuccess: reload(...AFFECTED),
  });
