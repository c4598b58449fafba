import { keepPreviousData } from "@tanstack/react-query";
import { createLoader, parseAsString, type inferParserType } from "nuqs/server";
import { LIST_STATE, pageOf } from "@/components/layout/list-state";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, reload } from "@/lib/browser/api-query";
import { getAccountPermissions, getMemberPermissions } from "@/lib/browser/operations/groups-permissions";
import {
  addGroupMembers,
  createGroup,
  deleteGroup,
  getGroup,
  listGroupMembers,
  listGroups,
  removeGroupMembers,
  updateGroup,
} from "@/lib/browser/operations/groups";
import { getMember, listMembers } from "@/lib/browser/operations/members";
import { listRoles } from "@/lib/browser/operations/roles";
import { GROUP_SORTS } from "@/lib/records/groups/vocabulary";

/** Members of a group per page. */
export const MEMBERS_SHOWN = 25;

/** URL state of the list of groups. */
export const GROUP_LIST_STATE = { ...LIST_STATE, group: parseAsString };
export const loadGroupListState = createLoader(GROUP_LIST_STATE);

export const groupListQuery = (state: inferParserType<typeof GROUP_LIST_STATE>) => ({
  ...apiQuery(listGroups, { query: pageOf(state, GROUP_SORTS) }),
  placeholderData: keepPreviousData,
});

export const groupQuery = (id: string) => apiQuery(getGroup, { params: { id } });

export const groupMembersQuery = (id: string, offset: number) => ({
  ...apiQuery(listGroupMembers, { params: { id }, query: { limit: MEMBERS_SHOWN, offset } }),
  placeholderData: keepPreviousData,
});

const refresh = reload(
  listGroups,
  getGroup,
  listGroupMembers,
  listMembers,
  getMember,
  listRoles,
  getAccountPermissions,
  getMemberPermissions,
);

export const useCreateGroup = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createGroup>["body"]) =>
      call(createGroup, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: refresh,
  });

export const useUpdateGroup = (id: string) =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof updateGroup>["body"]) => call(updateGroup, { params: { id }, body }),
    onSuccess: refresh,
  });

export const useDeleteGroup = () =>
  useApiMutation({ mutationFn: (id: string) => call(deleteGroup, { params: { id } }), onSuccess: refresh });

export const useAddGroupMember = (id: string) =>
  useApiMutation({
    mutationFn: (userId: string) => call(addGroupMembers, { params: { id }, body: { user_ids: [userId] } }),
    onSuccess: refresh,
  });

export const useRemoveGroupMember = (id: string) =>
  useApiMutation({
    mutationFn: (userId: string) => call(removeGroupMembers, { params: { id }, body: { user_ids: [userId] } }),
    onSuccess: refresh,
  });
