import { keepPreviousData } from "@tanstack/react-query";
import { createLoader, parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server";
import { LIST_STATE, pageOf } from "@/components/layout/list-state";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, reload } from "@/lib/browser/api-query";
import { getAccountPermissions, getMemberPermissions } from "@/lib/browser/operations/groups-permissions";
import { listKeys } from "@/lib/browser/operations/keys";
import {
  createMember,
  deleteMember,
  endMemberSessions,
  getMember,
  listMembers,
  resetMemberPassword,
  resetSecondFactor,
  updateMember,
} from "@/lib/browser/operations/members";
import { handOverMember } from "@/lib/browser/operations/members-hand-over";
import { getEffectivePolicy } from "@/lib/browser/operations/policy-check";
import { listRoles } from "@/lib/browser/operations/roles";
import { RANGES } from "@/lib/records/generations/vocabulary";
import { MEMBER_SORTS, MEMBER_STATUSES } from "@/lib/records/members/vocabulary";

const MAX_PAGE = 100;

/** URL state of the member list. */
export const MEMBER_LIST_STATE = {
  ...LIST_STATE,
  role: parseAsString,
  status: parseAsStringLiteral(MEMBER_STATUSES),
  tag: parseAsString,
  range: parseAsStringLiteral(RANGES).withDefault("7d"),
};

export const loadMemberListState = createLoader(MEMBER_LIST_STATE);

type MemberListState = inferParserType<typeof MEMBER_LIST_STATE>;

/** API parameters from the list's URL state. */
export const memberListInput = ({ role, status, tag, range, ...page }: MemberListState) => ({
  ...pageOf(page, MEMBER_SORTS),
  ...(role && { role }),
  ...(status && { status }),
  ...(tag && { tag }),
  range,
});

export const memberListQuery = (state: MemberListState) => ({
  ...apiQuery(listMembers, { query: memberListInput(state) }),
  placeholderData: keepPreviousData,
});

/** Members whose name or email address contains a text. */
export const foundMembersQuery = (q: string) => ({
  ...apiQuery(listMembers, { query: { limit: MAX_PAGE, sort: "name", ...(q !== "" && { q }) } }),
  placeholderData: keepPreviousData,
});

export const memberQuery = (userId: string) => apiQuery(getMember, { params: { user_id: userId } });

const refresh = reload(listMembers, getMember, getEffectivePolicy);

export const useInviteMember = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createMember>["body"]) =>
      call(createMember, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: refresh,
  });

export const useUpdateMember = (userId: string) =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof updateMember>["body"]) =>
      call(updateMember, { params: { user_id: userId }, body }),
    onSuccess: reload(
      listMembers,
      getMember,
      getEffectivePolicy,
      getMemberPermissions,
      getAccountPermissions,
      listRoles,
    ),
  });

export const useResetPassword = (userId: string) =>
  useApiMutation({
    mutationFn: () => call(resetMemberPassword, { params: { user_id: userId } }),
    onSuccess: refresh,
  });

export const useResetSecondFactor = (userId: string) =>
  useApiMutation({
    mutationFn: () => call(resetSecondFactor, { params: { user_id: userId } }),
    onSuccess: refresh,
  });

export const useEndSessions = (userId: string) =>
  useApiMutation({
    mutationFn: () => call(endMemberSessions, { params: { user_id: userId } }),
    onSuccess: refresh,
  });

export const useHandOver = (userId: string) =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof handOverMember>["body"]) =>
      call(handOverMember, { params: { user_id: userId }, body }),
    onSuccess: reload(listMembers, getMember, listKeys, getEffectivePolicy),
  });

export const useRemoveMember = (userId: string) =>
  useApiMutation({
    mutationFn: () => call(deleteMember, { params: { user_id: userId } }),
    onSuccess: reload(listMembers, listKeys),
  });
