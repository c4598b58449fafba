import { keepPreviousData, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { ReachButton } from "@/components/layout/bulk-bar";
import { useSelection } from "@/components/layout/use-selection";
import { rangeText } from "@/components/layout/page-size";
import { ResourceList } from "@/components/layout/resource-list";
import { memberName } from "@/components/members/member-name";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import type { Column } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import { call, type Answer } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { apiQuery } from "@/lib/browser/api-query";
import {
  listGuardrailKeyAssignments,
  listGuardrailMemberAssignments,
} from "@/lib/browser/operations/guardrails-assignments";
import { getMember } from "@/lib/browser/operations/members";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { countOf, type Kind, type Subject } from "./assignment-plan";
import { useUnassign } from "./assignment-queries";
import { showDone } from "./undo-toast";

const PAGE = 10;

interface Assigned extends Subject {
  at: string;
}

const ofKeys = ({ data, total_count }: Answer<typeof listGuardrailKeyAssignments>) => ({
  total_count,
  data: data.map(({ key_hash, key_name, created_at }): Assigned => ({ id: key_hash, name: key_name, at: created_at })),
});
const ofMembers = ({ data, total_count }: Answer<typeof listGuardrailMemberAssignments>) => ({
  total_count,
  data: data.map(({ user_id, created_at }): Assigned => ({ id: user_id, name: user_id, at: created_at })),
});

/** One page of a guardrail's assignments. */
function useAssigned(kind: Kind, id: string, offset: number) {
  const input = { params: { id }, query: { offset, limit: PAGE } };
  const keys = useQuery({
    ...apiQuery(listGuardrailKeyAssignments, input),
    enabled: kind === "keys",
    placeholderData: keepPreviousData,
    select: ofKeys,
  });
  const members = useQuery({
    ...apiQuery(listGuardrailMemberAssignments, input),
    enabled: kind === "members",
    placeholderData: keepPreviousData,
    select: ofMembers,
  });
  return kind === "keys" ? keys : members;
}

/** Loads a part of a guardrail's assignments. */
const loadAssigned = (kind: Kind, id: string, query: { offset: number; limit: number }) =>
  kind === "keys"
    ? call(listGuardrailKeyAssignments, { params: { id }, query }).then(ofKeys)
    : call(listGuardrailMemberAssignments, { params: { id }, query }).then(ofMembers);

/** Member names by ID, since assignments only contain IDs. */
function useMemberNames(kind: Kind, rows: readonly Assigned[]): ReadonlyMap<string, string> {
  const canSeeMembers = useMay("members:read");
  const memberRows = kind === "members" && canSeeMembers ? rows : [];
  const found = useQueries({ queries: memberRows.map(({ id }) => apiQuery(getMember, { params: { user_id: id } })) });
  return new Map(found.flatMap(({ data }) => (data ? [[data.data.id, memberName(data.data)]] : [])));
}

const columnsOf = (kind: Kind, nameOf: (row: Assigned) => string): Column<Assigned>[] => [
  {
    id: "name",
    header: kind === "keys" ? "Key" : "Member",
    cell: (row) => (
      <Link href={`/${kind}/${row.id}`} className="font-medium hover:underline">
        {nameOf(row)}
      </Link>
    ),
  },
  { id: "assigned", header: "Assigned", cell: ({ at }) => <RelativeTime at={at} /> },
];

/** Keys or members assigned to a guardrail. The selected ones can be unassigned, with undo. */
export function AssignedList({ kind, guardrail }: { kind: Kind; guardrail: Guardrail }) {
  const client = useQueryClient();
  const [offset, setOffset] = useState(0);
  const assigned = useAssigned(kind, guardrail.id, offset);
  const { selected, setSelected, clear, reach } = useSelection<Assigned>({
    subject: kind,
    page: assigned.data,
    idOf: ({ id }) => id,
    load: (place) => loadAssigned(kind, guardrail.id, place),
  });
  const canAssign = useMay("guardrails:write");
  const unassign = useUnassign();
  const memberNames = useMemberNames(kind, assigned.data?.data ?? []);
  const nameOf = ({ id, name }: Assigned) => memberNames.get(id) ?? name;

  const takeOff = async () => {
    const ids = [...selected];
    try {
      const changes = await unassign.mutateAsync({ kind, moved: ids.map((id) => ({ id, from: guardrail.id })) });
      clear();
      setOffset(0);
      showDone(
        client,
        `${countOf(kind, ids.length)} unassigned`,
        `“${guardrail.name}” no longer applies to ${ids.length === 1 ? "it" : "them"}.`,
        changes,
      );
    } catch (error) {
      toast.error("Couldn't unassign", { description: toFailure(error).message });
    }
  };

  return (
    <div className="grid gap-2">
      <ResourceList
        label={kind === "keys" ? "Assigned keys" : "Assigned members"}
        subject={`the ${kind}`}
        query={assigned}
        columns={columnsOf(kind, nameOf)}
        rowKey={({ id }) => id}
        skeletonRows={3}
        selection={canAssign ? { selected, onChange: setSelected, nameOf } : undefined}
        empty={<p className="rounded-lg border border-dashed px-4 py-6 text-center text-muted">No {kind} assigned.</p>}
        pages={({ data, total_count: total }) => (
          <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
            <span className="flex flex-wrap items-center gap-1">
              {canAssign && (
                <Button size="sm" disabled={selected.size === 0 || unassign.isPending} onClick={() => void takeOff()}>
                  Unassign {selected.size > 0 ? countOf(kind, selected.size) : "selected"}
                </Button>
              )}
              {reach && <ReachButton {...reach} />}
            </span>
            {total > PAGE && (
              <div className="flex items-center gap-2 text-[13px] text-muted">
                {rangeText(offset, data.length, total)}
                <Button size="sm" disabled={offset === 0} onClick={() => setOffset(offset - PAGE)}>
                  Previous
                </Button>
                <Button size="sm" disabled={offset + PAGE >= total} onClick={() => setOffset(offset + PAGE)}>
                  Next
                </Button>
              </div>
            )}
          </div>
        )}
      />
    </div>
  );
}
