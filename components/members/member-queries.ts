import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { sortAmong } from "@/components/layout/sort-among";
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
import { MEMBER_SORTS } from "@/lib/records/members/vocabulary";
import type { MemberListState } from "./member-list-state";

const MAX_PAGE = 100;

/** Query for the page of the list that the URL describes. An unknown sort falls back to the default. */
export const memberListQuery = ({ offset, sort, q, role, status, tag }: MemberListState) => ({
  ...apiQuery(listMembers, {
    query: {
      offset,
      limit: PAGE_SIZE,
      ...(sort && { sort: sortAmong(MEMBER_SORTS, sort) }),
      ...(q?.trim() && { q: q.trim() }),
      ...(role && { role }),
      ...(status && { status }),
      ...(tag && { tag }),
    },
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
