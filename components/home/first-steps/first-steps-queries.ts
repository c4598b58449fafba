import { useQueryClient } from "@tanstack/react-query";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, invalidate } from "@/lib/browser/api-query";
import { callModel } from "@/lib/browser/call-model";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { getOverview } from "@/lib/browser/operations/analytics";
import { listBudgets } from "@/lib/browser/operations/budgets";
import { getGeneration, listGenerations } from "@/lib/browser/operations/generations";
import { createGuardrail, listGuardrails } from "@/lib/browser/operations/guardrails";
import { bulkAssignKeys, listKeyAssignments } from "@/lib/browser/operations/guardrails-assignments";
import { getCoverage } from "@/lib/browser/operations/coverage";
import { listProviders } from "@/lib/browser/operations/providers";
import { createKey, listKeys, rotateKey } from "@/lib/browser/operations/keys";

const NEWEST = { limit: 1 } as const;

export const newestKeyQuery = apiQuery(listKeys, { query: { ...NEWEST, kind: "inference" } });
export const newestGuardrailQuery = apiQuery(listGuardrails, { query: { ...NEWEST, workspace_id: "all" } });
/** Providers besides the built-in one. */
export const providersQuery = apiQuery(listProviders, { query: { limit: 2 } });
export const newestAssignmentQuery = apiQuery(listKeyAssignments, { query: NEWEST });

/** A generation is recorded shortly after its response. */
export const recordedQuery = (id: string) => ({
  ...apiQuery(getGeneration, { query: { id } }),
  retry: 5,
  retryDelay: 400,
});

/** Starter guardrail: redacts email addresses and blocks card numbers and secret keys. */
export const STARTER: CallInput<typeof createGuardrail>["body"] = {
  name: "Starter protection",
  description: "Redacts email addresses, blocks payment card numbers and secret keys.",
  content_filter_builtins: [
    { slug: "email", action: "redact" },
    { slug: "credit-card", action: "block" },
  ],
  content_filters: [{ pattern: "\\b(?:sk|ghp|xoxb)[-_][A-Za-z0-9_-]{16,}", label: "[SECRET]", action: "block" }],
};

export function useCreateFirstKey() {
  const client = useQueryClient();
  return useApiMutation({
    mutationFn: (name: string) => call(createKey, { body: { name }, idempotencyKey: newIdempotencyKey() }),
    onSuccess: () => invalidate(client, listKeys, getCoverage),
  });
}

export function useRotateFirstKey() {
  const client = useQueryClient();
  return useApiMutation({
    mutationFn: (hash: string) => call(rotateKey, { params: { hash }, body: {}, idempotencyKey: newIdempotencyKey() }),
    onSuccess: () => invalidate(client, listKeys, listKeyAssignments),
  });
}

export function useCreateStarter() {
  const client = useQueryClient();
  return useApiMutation({
    mutationFn: () => call(createGuardrail, { body: STARTER, idempotencyKey: newIdempotencyKey() }),
    onSuccess: () => invalidate(client, listGuardrails, getCoverage),
  });
}

export function useAssignFirst() {
  const client = useQueryClient();
  return useApiMutation({
    mutationFn: ({ guardrailId, keyHash }: { guardrailId: string; keyHash: string }) =>
      call(bulkAssignKeys, { params: { id: guardrailId }, body: { key_hashes: [keyHash] } }),
    onSuccess: () => invalidate(client, listKeyAssignments, listKeys, listGuardrails, getCoverage),
  });
}

export function useAsk() {
  const client = useQueryClient();
  return useApiMutation({
    mutationFn: ({ keyText, prompt }: { keyText: string; prompt: string }) =>
      callModel(keyText, { model: "sandbox/echo", input: prompt }),
    onSuccess: () => invalidate(client, listGenerations, getOverview, listBudgets),
  });
}
