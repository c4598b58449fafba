import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import { createLoader, parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server";
import { LIST_STATE, pageOf } from "@/components/layout/list-state";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, invalidate } from "@/lib/browser/api-query";
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
import { getEffectivePolicy } from "@/lib/browser/operations/policy-check";
import { MEMBER_SORTS, MEMBER_STATUSES, ROLES } from "@/lib/records/members/vocabulary";

const MAX_PAGE = 100;

/** URL state of the member list. */
export const MEMBER_LIST_STATE = {
  ...LIST_STATE,
  role: parseAsStringLiteral(ROLES),
  status: parseAsStringLiteral(MEMBER_STATUSES),
  tag: parseAsString,
};

export const loadMemberListState = createLoader(MEMBER_LIST_STATE);

export const memberListQuery = ({ role, status, tag, ...page }: inferParserType<typeof MEMBER_LIST_STATE>) => ({
  ...apiQuery(listMembers, {
    query: { ...pageOf(page, MEMBER_SORTS), ...(role && { role }), ...(status && { status }), ...(tag && { tag }) },
  }),
  placeholderData: keepPreviousData,
});

/** Members with a text in their name or email address. */
export const foundMembersQuery = (q: string) => ({
  ...apiQuery(listMembers, { query: { limit: MAX_PAGE, sort: "name", ...(q !== "" && { q }) } }),
  placeholderData: keepPreviousData,
});

export const memberQuery = (userId: string) => apiQuery(getMember, { params: { user_id: userId } });

/** Invalidates every query that shows members. */
function useRefreshMembers() {
  const queryClient = useQueryClient();
  return () => invalidate(queryClient, listMembers, getMember, getEffectivePolicy);
}

export function useInviteMember() {
  const refresh = useRefreshMembers();
  return useApiMutation({
    mutationFn: (body: CallInput<typeof createMember>["body"]) =>
      call(createMember, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: refresh,
  });
}

export function useUpdateMember(userId: string) {
  const refresh = useRefreshMembers();
  return useApiMutation({
    mutationFn: (body: CallInput<typeof updateMember>["body"]) =>
      call(updateMember, { params: { user_id: userId }, body }),
    onSuccess: refresh,
  });
}

export function useResetPassword(userId: string) {
  const refresh = useRefreshMembers();
  return useApiMutation({
    mutationFn: () => call(resetMemberPassword, { params: { user_id: userId } }),
    onSuccess: refresh,
  });
}

export function useResetSecondFactor(userId: string) {
  const refresh = useRefreshMembers();
  return useApiMutation({
    mutationFn: () => call(resetSecondFactor, { params: { user_id: userId } }),
    onSuccess: refresh,
  });
}

export function useEndSessions(userId: string) {
  const refresh = useRefreshMembers();
  return useApiMutation({
    mutationFn: () => call(endMemberSessions, { params: { user_id: userId } }),
    onSuccess: refresh,
  });
}

export function useRemoveMember(userId: string) {
  const queryClient = useQueryClient();
  return useApiMutation({
    mutationFn: () => call(deleteMember, { params: { user_id: userId } }),
    onSuccess: () => invalidate(queryClient, listMembers, listKeys),
  });
}
