"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { parseAsString } from "nuqs/server";
import { RecentGenerations } from "@/components/generations/recent-generations";
import { MemberKeys } from "@/components/keys/member-keys";
import { AuditLink } from "@/components/audit/audit-link";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { TwoColumns, TwoColumnsSkeleton } from "@/components/layout/two-columns";
import { BudgetsLeft } from "@/components/policy/budgets-left";
import {
  EffectivePolicy,
  ExceptionsSection,
  LimitsCard,
  SubjectUsage,
  TestPanel,
} from "@/components/policy/subject-sections";
import { sessionQuery } from "@/components/session/session-queries";
import { useMay } from "@/components/session/user-context";
import { LinkButton } from "@/components/ui/link-button";
import { IdentitiesCard } from "@/components/sign-in/identities-card";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Skeleton } from "@/components/ui/skeleton";
import type { Member } from "@/lib/records/members/contract";
import { MemberActions } from "./member-actions";
import { MemberStatus, RoleBadge } from "./member-badges";
import { MemberFacts } from "./member-facts";
import { memberName } from "./member-name";
import { memberQuery } from "./member-queries";

const EditMemberForm = lazyComponent(() => import("./edit-member-form").then((file) => file.EditMemberForm), {
  loading: () => <Skeleton className="h-96 rounded-lg" />,
});

export function MemberDetail({ id }: { id: string }) {
  const query = useQuery(memberQuery(id));
  const ownId = useQuery(sessionQuery).data?.user.id;
  const canEdit = useMay("members:write");
  const member = query.data?.data;
  return (
    <>
      <PageHeader
        title={member ? memberName(member) : "Member"}
        badge={
          member && (
            <>
              <RoleBadge {...member} />
              <MemberStatus {...member} />
            </>
          )
        }
        description={member?.email}
        action={
          member && (
            <>
              <AuditLink type="member" id={member.id} />
              <LinkButton href={`/members/permissions?member=${member.id}`}>Permissions</LinkButton>
              {canEdit && <MemberActions member={member} isSelf={member.id === ownId} />}
            </>
          )
        }
      />
      <DataState query={query} subject="this member" skeleton={<TwoColumnsSkeleton />}>
        {({ data }) => <Sections member={data} />}
      </DataState>
    </>
  );
}

function Sections({ member }: { member: Member }) {
  const workspaceId = useShownWorkspace();
  const canEdit = useMay("members:write");
  const canSeePolicy = useMay("guardrails:read");
  const seesLimits = useMay("budgets:read");
  return (
    <TwoColumns
      aside={
        <>
          <BudgetsLeft of={{ user_id: member.id }} />
          {seesLimits && <LimitsCard of={{ user_id: member.id }} />}
          {canEdit && <EditMemberForm member={member} />}
        </>
      }
    >
      <MemberFacts member={member} workspaceId={workspaceId} />
      <IdentitiesCard userId={member.id} />
      <SubjectUsage of={{ user_id: member.id }} />
      <ExceptionsSection subject={{ user_id: member.id }} name={memberName(member)} workspaceId={workspaceId} />
      {canSeePolicy && <EffectivePolicy userId={member.id} workspaceId={workspaceId} />}
      {canSeePolicy && <TestPanel userId={member.id} workspaceId={workspaceId} />}
      <MemberKeys userId={member.id} />
      <RecentGenerations of={{ user_id: member.id }} />
    </TwoColumns>
  );
}

/** Workspace in the URL; the default one if omitted. */
function useShownWorkspace(): string | undefined {
  const [workspace] = useQueryState("workspace", parseAsString);
  return workspace ?? undefined;
}
