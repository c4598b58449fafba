"use client";
import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import Link from "next/link";
import { rangeSpendColumn, SpendRangeSelect } from "@/components/analytics/range-spend";
import { AssignDialog } from "@/components/assignments/assign-dialog";
import { BulkBar } from "@/components/layout/bulk-bar";
import type { FilterDefinition } from "@/components/layout/filter-definition";
import { useSelection } from "@/components/layout/use-selection";
import { PageHeader } from "@/components/layout/page-header";
import { ResourceList, useListState } from "@/components/layout/resource-list";
import { useCreating } from "@/components/layout/use-creating";
import { useMay } from "@/components/session/user-context";
import { tagFilter } from "@/components/tags/tag-filter";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import { useWorkspaceNames } from "@/components/workspaces/workspace-queries";
import { call } from "@/lib/browser/api-client";
import { listMembers } from "@/lib/browser/operations/members";
import { usePageRouter } from "@/lib/browser/page-router";
import { count } from "@/lib/platform/count";
import { MEMBER_STATUSES } from "@/lib/records/members/vocabulary";
import { AccessNav } from "@/components/roles/access-nav";
import { useRoleOptions } from "@/components/roles/role-queries";
import { TagList } from "@/components/tags/tag-list";
import type { Column } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextLink } from "@/components/ui/text-link";
import type { Range } from "@/lib/records/generations/vocabulary";
import type { Member } from "@/lib/records/members/contract";
import { STATUS_LABELS, MemberStatus, RoleBadge } from "./member-badges";
import { memberName } from "./member-name";
import { MEMBER_LIST_STATE, memberListInput, memberListQuery } from "./member-queries";

const InviteDialog = lazyComponent(() => import("./invite-dialog").then((file) => file.InviteDialog));

const roleFilter = (roles: readonly { value: string; name: string }[]): FilterDefinition => ({
  key: "role",
  label: "Role",
  kind: "options",
  options: roles.map(({ value, name }) => ({ value, label: name })),
});

const FILTERS: readonly FilterDefinition[] = [
  {
    key: "status",
    label: "Status",
    kind: "options",
    options: MEMBER_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
  },
];

export function MemberList() {
  const router = usePageRouter();
  const canInvite = useMay("members:write");
  const canAssign = useMay("guardrails:write");
  const canSeeWorkspaces = useMay("workspaces:read");
  const { state, list } = useListState(MEMBER_LIST_STATE);
  const members = useQuery(memberListQuery(state));
  const workspaces = useWorkspaceNames(canSeeWorkspaces);
  const roles = useRoleOptions();
  const [isInviting, setInviting] = useCreating();
  const [isAssigning, setAssigning] = useState(false);
  const { selected, setSelected, chosen, clear, reach } = useSelection<Member>({
    subject: "members",
    page: members.data,
    idOf: ({ id }) => id,
    load: (place) => call(listMembers, { query: { ...memberListInput(state), ...place } }),
  });
  return (
    <>
      <PageHeader
        title="Members"
        description="People who can sign in. A member's guardrail applies to every key they own."
        action={
          canInvite && (
            <Button variant="primary" onClick={() => setInviting(true)}>
              <UserPlus aria-hidden /> Invite member
            </Button>
          )
        }
      />
      <AccessNav />
      <ResourceList
        label="Members"
        subject="members"
        query={members}
        list={list}
        columns={memberColumns(workspaces, state.range)}
        rowKey={({ id }) => id}
        searchCovers="Search covers names and email addresses."
        filters={[roleFilter(roles), ...FILTERS, tagFilter(state.tag)]}
        actions={<SpendRangeSelect value={state.range} onChange={(range) => list.setState({ range, offset: null })} />}
        onNarrow={clear}
        selection={canAssign ? { selected, onChange: setSelected, nameOf: memberName } : undefined}
        onOpen={({ id }) => router.push(`/members/${id}`)}
      >
        {chosen.length > 0 && (
          <BulkBar
            label="Selected members"
            text={`${count(chosen.length, "member")} selected`}
            reach={reach}
            onClear={clear}
          >
            <Button size="sm" onClick={() => setAssigning(true)}>
              Assign guardrail…
            </Button>
          </BulkBar>
        )}
      </ResourceList>
      {canInvite && isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      <AssignDialog
        kind="members"
        subjects={chosen.map((member) => ({ id: member.id, name: memberName(member) }))}
        open={isAssigning}
        onClose={() => setAssigning(false)}
      />
    </>
  );
}

/** Guardrails of a member, with workspace names if there are several. */
function Guardrails({
  guardrails,
  workspaces,
}: Pick<Member, "guardrails"> & { workspaces: ReadonlyMap<string, string> }) {
  if (guardrails.length === 0) return <span className="text-muted">None</span>;
  return (
    <span className="grid justify-items-end gap-0.5 md:justify-items-start">
      {guardrails.map(({ workspace_id, guardrail_id, guardrail_name }) => (
        <span key={workspace_id} className="break-words">
          <TextLink href={`/guardrails/${guardrail_id}`} className="relative z-10">
            {guardrail_name}
          </TextLink>
          {workspaces.size > 1 && (
            <span className="text-[13px] text-muted"> in {workspaces.get(workspace_id) ?? "another workspace"}</span>
          )}
        </span>
      ))}
    </span>
  );
}

const memberColumns = (workspaces: ReadonlyMap<string, string>, range: Range): Column<Member>[] => [
  {
    id: "name",
    header: "Name",
    sortKey: "name",
    className: "md:w-[32%]",
    cell: (member) => (
      <div className="grid min-w-0 gap-0.5">
        <Link href={`/members/${member.id}`} className="font-medium wrap-anywhere after:absolute after:inset-0">
          {memberName(member)}
        </Link>
        {memberName(member) !== member.email && (
          <span className="text-[13px] wrap-anywhere text-muted">{member.email}</span>
        )}
      </div>
    ),
  },
  { id: "role", header: "Role", sortKey: "role", cell: (member) => <RoleBadge {...member} /> },
  { id: "status", header: "Status", cell: (member) => <MemberStatus {...member} /> },
  {
    id: "guardrails",
    header: "Guardrails",
    cell: ({ guardrails }) => <Guardrails guardrails={guardrails} workspaces={workspaces} />,
  },
  rangeSpendColumn(range),
  {
    id: "keys",
    header: "Keys",
    align: "right",
    cell: ({ active_keys }) => <span className="tabular-nums">{active_keys}</span>,
  },
  {
    id: "sessions",
    header: "Sessions",
    align: "right",
    isHiddenAtFirst: true,
    cell: ({ open_sessions }) => <span className="tabular-nums">{open_sessions}</span>,
  },
  {
    id: "tags",
    header: "Tags",
    isHiddenAtFirst: true,
    cell: ({ tags }) => (tags.length > 0 ? <TagList tags={tags} /> : <span className="text-muted">None</span>),
  },
  {
    id: "created_at",
    header: "Added",
    sortKey: "created_at",
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];
