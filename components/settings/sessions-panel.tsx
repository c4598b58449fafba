"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RevokeSession } from "@/components/account/revoke-session";
import { sessionColumns } from "@/components/account/session-columns";
import { LIST_STATE } from "@/components/layout/list-state";
import { ResourceList, useListState } from "@/components/layout/resource-list";
import { memberName } from "@/components/members/member-name";
import { useMay } from "@/components/session/user-context";
import type { Column } from "@/components/ui/data-table";
import { TextLink } from "@/components/ui/text-link";
import type { OrganizationSession } from "@/lib/records/session/account-contract";
import { sessionListQuery, useRevokeSession } from "./settings-queries";

const WHO: Column<OrganizationSession> = {
  id: "member",
  header: "Member",
  className: "md:w-[28%]",
  cell: (session) => (
    <div className="grid gap-0.5 pr-8 md:pr-0">
      <TextLink href={`/members/${session.user.id}`} className="justify-self-start wrap-anywhere">
        {memberName(session.user)}
      </TextLink>
      {memberName(session.user) !== session.user.email && (
        <span className="text-[13px] wrap-anywhere text-muted">{session.user.email}</span>
      )}
    </div>
  ),
};

/** Sessions of all members. */
export function SessionsPanel() {
  const { state, list } = useListState(LIST_STATE);
  const sessions = useQuery(sessionListQuery(state.offset));
  const [toRevoke, setToRevoke] = useState<OrganizationSession | null>(null);
  const canRevoke = useMay("members:write");
  const columns = [WHO, ...sessionColumns<OrganizationSession>(setToRevoke, ({ user }) => user.email)].filter(
    ({ isControl }) => canRevoke || !isControl,
  );
  return (
    <div className="grid gap-3">
      <p className="text-muted">Sessions expire 14 days after sign-in or after 24 hours of inactivity.</p>
      <ResourceList
        label="Sessions"
        subject="sessions"
        query={sessions}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
      />
      <RevokeSession
        session={toRevoke}
        whose={toRevoke ? memberName(toRevoke.user) : ""}
        revocation={useRevokeSession()}
        onClose={() => setToRevoke(null)}
      />
    </div>
  );
}
