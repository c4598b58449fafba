import { createLoader, parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server";
import { LIST_STATE } from "@/components/layout/page-state";
import { MEMBER_STATUSES, ROLES } from "@/lib/records/members/vocabulary";

/** URL state of the member list. */
export const MEMBER_LIST_STATE = {
  ...LIST_STATE,
  role: parseAsStringLiteral(ROLES),
  status: parseAsStringLiteral(MEMBER_STATUSES),
  tag: parseAsString,
};
export type MemberListState = inferParserType<typeof MEMBER_LIST_STATE>;

export const loadMemberListState = createLoader(MEMBER_LIST_STATE);
