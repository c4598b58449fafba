import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { GroupList } from "@/components/groups/group-list";
import { groupListQuery, loadGroupListState } from "@/components/groups/group-queries";

export const metadata: Metadata = { title: "Groups" };

export default async function GroupsPage({ searchParams }: PageProps) {
  const state = await loadGroupListState(searchParams);
  return (
    <Prefetch queries={[groupListQuery(state)]}>
      <GroupList />
    </Prefetch>
  );
}
