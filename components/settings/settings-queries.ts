import { keepPreviousData, useQueryClient, type MutationFunctionContext } from "@tanstack/react-query";
import { createLoader, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { pageOf, type ListPage, LIST_STATE } from "@/components/layout/list-state";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, invalidate, reload } from "@/lib/browser/api-query";
import { listGuardrails } from "@/lib/browser/operations/guardrails";
import { listKeys } from "@/lib/browser/operations/keys";
import { getOrganization, updateOrganization } from "@/lib/browser/operations/organization";
import { listPresets } from "@/lib/browser/operations/presets";
import { deleteOrganizationSession, listOrganizationSessions } from "@/lib/browser/operations/session-account";
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from "@/lib/browser/operations/workspaces";
import type { Workspace, WorkspaceResponse } from "@/lib/records/workspaces/contract";

const SETTINGS_TABS = [
  "organization",
  "workspaces",
  "logging",
  "limits",
  "webhooks",
  "exports",
  "code",
  "directory",
  "sign-in",
  "sessions",
] as const;

/** URL state: open tab, page offset, and the open workspace, webhook or export destination. */
export const SETTINGS_STATE = {
  ...LIST_STATE,
  tab: parseAsStringLiteral(SETTINGS_TABS).withDefault("organization"),
  edit: parseAsString,
  webhook: parseAsString,
  export: parseAsString,
  connection: parseAsString,
};

export const loadSettingsState = createLoader(SETTINGS_STATE);

export const organizationQuery = apiQuery(getOrganization, {});

export function useUpdateOrganization() {
  const client = useQueryClient();
  return useApiMutation({
    mutationFn: (body: CallInput<typeof updateOrganization>["body"]) => call(updateOrganization, { body }),
    onSuccess: (answer) => client.setQueryData(organizationQuery.queryKey, answer),
  });
}

export const workspaceListQuery = (state: ListPage) => ({
  ...apiQuery(listWorkspaces, { query: pageOf(state, ["name", "slug", "created_at"]) }),
  placeholderData: keepPreviousData,
});

export const workspaceQuery = (id: string) => apiQuery(getWorkspace, { params: { id } });

const MAX_CHOICES = 100;

/** Guardrails of a workspace, for choosing its default. */
export const workspaceGuardrailsQuery = (id: string) =>
  apiQuery(listGuardrails, { query: { workspace_id: id, limit: MAX_CHOICES, sort: "name" } });

/** Counts of a workspace's keys, guardrails and presets. */
export const holdingsQueries = (id: string) =>
  [
    apiQuery(listKeys, { query: { workspace_id: id, limit: 1, include_disabled: "true" } }),
    apiQuery(listGuardrails, { query: { workspace_id: id, limit: 1 } }),
    apiQuery(listPresets, { query: { workspace_id: id, limit: 1 } }),
  ] as const;

async function remember(
  { data }: { data: WorkspaceResponse },
  _variables: unknown,
  _result: unknown,
  { client }: MutationFunctionContext,
) {
  client.setQueryData(workspaceQuery(data.id).queryKey, { data });
  await invalidate(client, listWorkspaces);
}

export const useCreateWorkspace = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createWorkspace>["body"]) =>
      call(createWorkspace, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: remember,
  });

export const useUpdateWorkspace = () =>
  useApiMutation({
    mutationFn: ({ id, body }: { id: string; body: CallInput<typeof updateWorkspace>["body"] }) =>
      call(updateWorkspace, { params: { id }, body }),
    onSuccess: remember,
  });

export const useDeleteWorkspace = () =>
  useApiMutation({
    mutationFn: ({ id }: Workspace) => call(deleteWorkspace, { params: { id } }),
    onSuccess: reload(listWorkspaces),
  });

export const sessionListQuery = (offset: number) => ({
  ...apiQuery(listOrganizationSessions, { query: { offset, limit: PAGE_SIZE } }),
  placeholderData: keepPreviousData,
});

export const useRevokeSession = () =>
  useApiMutation({
    mutationFn: ({ id }: { id: string }) => call(deleteOrganizationSession, { params: { id } }),
    onSuccess: reload(listOrganizationSessions),
  });
