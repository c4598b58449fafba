"use client";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { Field } from "@/components/form/field";
import { DataState } from "@/components/layout/data-state";
import { PageButtons } from "@/components/layout/page-buttons";
import { RecordSelect } from "@/components/layout/record-select";
import { RECORD_SOURCES } from "@/components/layout/record-sources";
import { memberName } from "@/components/members/member-name";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Group } from "@/lib/records/groups/contract";
import { groupMembersQuery, MEMBERS_SHOWN, useAddGroupMember, useRemoveGroupMember } from "./group-queries";

/** The members of a group. A directory decides about those of its groups. */
export function GroupMembers({ group }: { group: Group }) {
  const [offset, setOffset] = useState(0);
  const members = useQuery(groupMembersQuery(group.id, offset));
  const canChange = useMay("roles:write") && group.source === "manual";
  const addition = useAddGroupMember(group.id);
  const removal = useRemoveGroupMember(group.id);
  const failed = (error: unknown) =>
    toast.error("Couldn't change the members", { description: toFailure(error).message });
  const add = (id: string | null) => {
    if (id !== null) addition.mutate(id, { onSuccess: () => toast.success("Member added"), onError: failed });
  };
  const remove = (id: string) => {
    const isLastOfPage = members.data?.data.length === 1;
    removal.mutate(id, {
      onSuccess: () => {
        toast.success("Member removed");
        if (isLastOfPage) setOffset(Math.max(0, offset - MEMBERS_SHOWN));
      },
      onError: failed,
    });
  };
  return (
    <section aria-labelledby="group-members" className="grid gap-3 border-t pt-4">
      <h3 id="group-members" className="font-medium">
        Members
      </h3>
      {group.source === "scim" && <p className="text-muted">The directory decides who is a member.</p>}
      {canChange && (
        <Field label="Add member" errors={[]} className="max-w-md">
          {(control) => (
            <RecordSelect {...control} label="Add member" value={null} onChange={add} source={RECORD_SOURCES.user_id} />
          )}
        </Field>
      )}
      <DataState query={members} subject="members" skeleton={<Skeleton className="h-24" />}>
        {({ data, total_count }) =>
          total_count === 0 ? (
            <p className="text-muted">No members yet.</p>
          ) : (
            <>
              <ul className="divide-y rounded-lg border" aria-label={`Members of ${group.name}`}>
                {data.map((member) => (
                  <li key={member.id} className="flex items-center justify-between gap-2 px-3 py-1.5">
                    <span className="min-w-0 wrap-anywhere">
                      <TextLink href={`/members/${member.id}`}>{memberName(member)}</TextLink>
                      {memberName(member) !== member.email && (
                        <span className="block text-[13px] text-muted">{member.email}</span>
                      )}
                    </span>
                    {canChange && (
                      <Button
                        variant="ghost"
                        size="icon"
                        aria-label={`Remove ${memberName(member)}`}
                        disabled={removal.isPending}
                        onClick={() => remove(member.id)}
                      >
                        <X aria-hidden />
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
              <PageButtons
                subject="members"
                offset={offset}
                size={MEMBERS_SHOWN}
                shown={data.length}
                total={total_count}
                onOffset={setOffset}
                previous="Previous"
                next="Next"
              />
            </>
          )
        }
      </DataState>
    </section>
  );
}
