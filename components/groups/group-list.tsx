"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus, Users } from "lucide-react";
import { PageHeader } from "@/components/layout/page-header";
import { ResourceList, useListState } from "@/components/layout/resource-list";
import { useCreating } from "@/components/layout/use-creating";
import { AccessNav } from "@/components/roles/access-nav";
import { useMay } from "@/components/session/user-context";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { Column } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { lazyComponent } from "@/components/ui/lazy-component";
import { RelativeTime } from "@/components/ui/relative-time";
import { count } from "@/lib/platform/count";
import type { Group } from "@/lib/records/groups/contract";
import { GROUP_LIST_STATE, groupListQuery } from "./group-queries";

const NewGroup = lazyComponent(() => import("./group-sheet").then((file) => file.NewGroup));
const GroupSheet = lazyComponent(() => import("./group-sheet").then((file) => file.GroupSheet));

const none = <span className="text-muted">None</span>;

const columns = (onOpen: (group: Group) => void): Column<Group>[] => [
  {
    id: "name",
    header: "Name",
    sortKey: "name",
    className: "md:w-[35%]",
    cell: (group) => (
      <button
        type="button"
        onClick={() => onOpen(group)}
        className="inline-flex flex-wrap items-center gap-2 pr-8 text-left font-medium wrap-anywhere after:absolute after:inset-0 md:pr-0"
      >
        {group.name}
        {group.source === "scim" && <Badge>Directory</Badge>}
      </button>
    ),
  },
  { id: "members", header: "Members", cell: ({ members }) => members.toLocaleString("en") },
  { id: "role", header: "Role", cell: ({ role_name }) => role_name ?? none },
  {
    id: "workspaces",
    header: "Workspace roles",
    cell: ({ workspace_roles: roles }) => (roles.length === 0 ? none : count(roles.length, "workspace")),
  },
  {
    id: "created_at",
    header: "Created",
    sortKey: "created_at",
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];

/** Groups of members, who get roles together. */
export function GroupList() {
  const { state, setState, list } = useListState(GROUP_LIST_STATE);
  const groups = useQuery(groupListQuery(state));
  const canCreate = useMay("roles:write");
  const [isCreating, setCreating] = useCreating();
  const open = (group: string | null) => void setState({ group }, { history: "push" });
  const create = canCreate && (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New group
    </Button>
  );
  return (
    <>
      <PageHeader title="Groups" description="Members who get roles together." action={create} />
      <AccessNav />
      <ResourceList
        label="Groups"
        subject="groups"
        query={groups}
        list={list}
        columns={columns(({ id }) => open(id))}
        rowKey={({ id }) => id}
        searchCovers="Search covers names."
        onOpen={({ id }) => open(id)}
        empty={
          <EmptyState icon={Users} title="No groups yet" action={create} isHeaderAction>
            Give a team its roles once, for the organization or for single workspaces.
          </EmptyState>
        }
      />
      {canCreate && isCreating && (
        <NewGroup
          onClose={() => setCreating(false)}
          onCreated={(id) => {
            setCreating(false);
            open(id);
          }}
        />
      )}
      {state.group !== null && <GroupSheet key={state.group} id={state.group} onClose={() => open(null)} />}
    </>
  );
}
