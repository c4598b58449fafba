"use client";
import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useQueryStates } from "nuqs";
import { parseAsArrayOf, parseAsString } from "nuqs/server";
import { useState } from "react";
import { AssignDialog } from "@/components/assignments/assign-dialog";
import { DataState } from "@/components/layout/data-state";
import { BulkBar } from "@/components/layout/bulk-bar";
import { FilterBar } from "@/components/layout/filter-bar";
import type { FilterDefinition } from "@/components/layout/filter-definition";
import { NoResults } from "@/components/layout/no-results";
import { PageHeader } from "@/components/layout/page-header";
import { Pager } from "@/components/layout/pager";
import { useUser } from "@/components/session/user-context";
import { tagFilter } from "@/components/tags/tag-filter";
import { Button } from "@/components/ui/button";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { hiddenAtFirst } from "@/components/ui/data-table-model";
import { lazyComponent } from "@/components/ui/lazy-component";
import { useWorkspaceNames } from "@/components/workspaces/workspace-queries";
import { usePageRouter } from "@/lib/browser/page-router";
import { MEMBER_STATUSES, ROLES } from "@/lib/records/members/vocabulary";
import { ROLE_LABELS, STATUS_LABELS } from "./member-badges";
import { memberColumns } from "./member-columns";
import { MEMBER_LIST_STATE } from "./member-list-state";
import { memberName } from "./member-name";
import { memberListQuery } from "./member-queries";

const InviteDialog = lazyComponent(() => import("./invite-dialog").then((file) => file.InviteDialog));

const STATE = { ...MEMBER_LIST_STATE, hide: parseAsArrayOf(parseAsString) };
const UNFILTERED = { q: null, role: null, status: null, tag: null };
const NONE: ReadonlySet<string> = new Set();

const FILTERS: readonly FilterDefinition[] = [
  {
    key: "role",
    label: "Role",
    kind: "options",
    options: ROLES.map((value) => ({ value, label: ROLE_LABELS[value] })),
  },
  {
    key: "status",
    label: "Status",
    kind: "options",
    options: MEMBER_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
  },
];

export function MemberList() {
  const router = usePageRouter();
  const { isAdmin } = useUser();
  const [{ hide, ...state }, setState] = useQueryStates(STATE);
  const members = useQuery(memberListQuery(state));
  const workspaces = useWorkspaceNames(isAdmin);
  const [isInviting, setInviting] = useState(false);
  const [isAssigning, setAssigning] = useState(false);
  const [selected, setSelected] = useState(NONE);
  const chosen = members.data?.data.filter(({ id }) => selected.has(id)) ?? [];
  const columns = memberColumns(workspaces);
  const hidden = hide ?? hiddenAtFirst(columns);
  const narrow = (change: Partial<Record<keyof typeof UNFILTERED, string | null>>) => {
    setSelected(NONE);
    void setState({ ...change, offset: null } as Parameters<typeof setState>[0]);
  };
  return (
    <>
      <PageHeader
        title="Members"
        description="People who can sign in. A member's guardrail applies to every key they own."
        action={
          isAdmin && (
            <Button variant="primary" onClick={() => setInviting(true)}>
              <UserPlus aria-hidden /> Invite member
            </Button>
          )
        }
      />
      <DataState query={members} subject="members" skeleton={<DataTableSkeleton columns={columns} />}>
        {({ data, total_count }) => (
          <>
            <FilterBar
              search={{ label: "Search members", value: state.q, onChange: (q) => narrow({ q }) }}
              filters={[...FILTERS, tagFilter(state.tag)]}
              values={{ role: state.role, status: state.status, tag: state.tag }}
              onChange={(name, value) => narrow({ [name]: value })}
              onClear={() => narrow(UNFILTERED)}
            />
            {total_count === 0 ? (
              <NoResults onClear={() => narrow(UNFILTERED)}>Search covers names and email addresses.</NoResults>
            ) : (
              <DataTable
                label="Members"
                columns={columns}
                rows={data}
                rowKey={({ id }) => id}
                sort={{ value: state.sort, onChange: (sort) => void setState({ sort, offset: null }) }}
                selection={{ selected, onChange: setSelected, nameOf: memberName }}
                chooser={{ hidden, onChange: (ids) => void setState({ hide: ids }) }}
                onOpen={({ id }) => router.push(`/members/${id}`)}
              />
            )}
            <Pager total={total_count} shown={data.length} />
            {chosen.length > 0 && (
              <BulkBar
                label="Selected members"
                text={`${chosen.length === 1 ? "1 member" : `${chosen.length} members`} selected`}
                onClear={() => setSelected(NONE)}
              >
                <Button size="sm" onClick={() => setAssigning(true)}>
                  Assign guardrail…
                </Button>
              </BulkBar>
            )}
          </>
        )}
      </DataState>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      <AssignDialog
        kind="members"
        subjects={chosen.map((member) => ({ id: member.id, name: memberName(member) }))}
        open={isAssigning}
        onClose={() => setAssigning(false)}
      />
    </>
  );
}
