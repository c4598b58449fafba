import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { subjectUsageQuery } from "@/components/analytics/analytics-queries";
import { loadSubjectUsageState } from "@/components/analytics/analytics-state";
import { exceptionListQuery } from "@/components/exceptions/exception-queries";
import { recentGenerationsQuery } from "@/components/generations/recent-generations-query";
import { budgetsQuery } from "@/components/home/budget-queries";
import { memberKeysQuery } from "@/components/keys/key-queries";
import { MemberDetail } from "@/components/members/member-detail";
import { memberQuery } from "@/components/members/member-queries";
import { rolesQuery } from "@/components/roles/role-queries";
import { identitiesQuery } from "@/components/sign-in/connection-queries";

export const metadata: Metadata = { title: "Member" };

export default async function MemberPage({ params, searchParams }: PageProps<{ id: string }>) {
  const { id } = await params;
  return (
    <Prefetch
      queries={[
        memberQuery(id),
        rolesQuery,
        identitiesQuery(id),
        exceptionListQuery({ user_id: id }),
        memberKeysQuery(id),
        budgetsQuery({ user_id: id }),
        subjectUsageQuery(await loadSubjectUsageState(searchParams), { user_id: id }),
        recentGenerationsQuery({ user_id: id }),
      ]}
    >
      <MemberDetail key={id} id={id} />
    </Prefetch>
  );
}
