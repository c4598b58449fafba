import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, reload } from "@/lib/browser/api-query";
import { getMember } from "@/lib/browser/operations/members";
import { getSession } from "@/lib/browser/operations/session";
import {
  createSignInConnection,
  deleteMemberIdentity,
  deleteSignInConnection,
  getSignInConnection,
  getSignInSettings,
  getSignInTest,
  listMemberIdentities,
  listSignInConnections,
  readSamlMetadata,
  testSignInConnection,
  updateSignInConnection,
  updateSignInSettings,
} from "@/lib/browser/operations/sign-in-connections";

/** Polling interval while a test waits for the provider. */
const TEST_MS = 1_000;

export const connectionsQuery = apiQuery(listSignInConnections, {});
export const connectionQuery = (id: string) => apiQuery(getSignInConnection, { params: { id } });
export const signInSettingsQuery = apiQuery(getSignInSettings, {});

export const testQuery = (id: string, test_id: string) => {
  const query = apiQuery(getSignInTest, { params: { id, test_id } });
  return {
    ...query,
    refetchInterval: ({ state }: { state: { data?: { data: { status: string } } | undefined } }) =>
      state.data === undefined || state.data.data.status === "pending" ? TEST_MS : false,
  } as const;
};

const refresh = reload(listSignInConnections, getSignInConnection);

export const useCreateConnection = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createSignInConnection>["body"]) =>
      call(createSignInConnection, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: refresh,
  });

export const useUpdateConnection = (id: string) =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof updateSignInConnection>["body"]) =>
      call(updateSignInConnection, { params: { id }, body }),
    onSuccess: refresh,
  });

export const useReadMetadata = () =>
  useApiMutation({ mutationFn: (metadata: string) => call(readSamlMetadata, { body: { metadata } }) });

export const useDeleteConnection = () =>
  useApiMutation({
    mutationFn: (id: string) => call(deleteSignInConnection, { params: { id } }),
    onSuccess: refresh,
  });

export const useTestConnection = (id: string) =>
  useApiMutation({ mutationFn: () => call(testSignInConnection, { params: { id } }) });

export const useUpdateSignInSettings = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof updateSignInSettings>["body"]) => call(updateSignInSettings, { body }),
    onSuccess: reload(getSignInSettings, getSession),
  });

export const identitiesQuery = (user_id: string) => apiQuery(listMemberIdentities, { params: { user_id } });

export const useUnlinkIdentity = (user_id: string) =>
  useApiMutation({
    mutationFn: (connection_id: string) => call(deleteMemberIdentity, { params: { user_id, connection_id } }),
    onSuccess: reload(listMemberIdentities, getMember),
  });
