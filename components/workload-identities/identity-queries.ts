import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, reload } from "@/lib/browser/api-query";
import {
  createWorkloadIdentity,
  deleteWorkloadIdentity,
  listWorkloadIdentities,
  updateWorkloadIdentity,
} from "@/lib/browser/operations/workload-identities";

export const identitiesQuery = (hash: string) => apiQuery(listWorkloadIdentities, { params: { hash } });

/** Creates an identity, or updates the one with the ID. */
export const useSaveIdentity = (hash: string, id: string | null) =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createWorkloadIdentity>["body"]) =>
      id === null
        ? call(createWorkloadIdentity, { params: { hash }, body, idempotencyKey: newIdempotencyKey() })
        : call(updateWorkloadIdentity, { params: { hash, id }, body }),
    onSuccess: reload(listWorkloadIdentities),
  });

export const useDeleteIdentity = (hash: string) =>
  useApiMutation({
    mutationFn: (id: string) => call(deleteWorkloadIdentity, { params: { hash, id } }),
    onSuccess: reload(listWorkloadIdentities),
  });
