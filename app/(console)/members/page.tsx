import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { MemberList } from "@/components/members/member-list";
import { loadMemberListState, memberListQuery } from "@/components/members/member-queries";

export const metadata: Metadata = { title: "Members" };

export default async function MembersPage({ searchParams }: PageProps) {
  const state = await loadMemberListState(searchParams);
  return (
    <Prefetch queries={[memberListQuery(state)]}>
      <MemberList />
    </Prefetch>
  );
}
