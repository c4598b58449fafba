"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RevokeSession } from "@/components/account/revoke-session";
import { sessionColumns } from "@/components/account/session-columns";
import { DataState } from "@/components/layout/data-state";
import { Pager, useOffset } from "@/components/layout/pager";
import { memberName } from "@/components/members/member-name";
import { DataTable, DataTableSkeleton, type Column } from "@/components/ui/data-table";
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
  const [offset] = useOffset();
  const sessions = useQuery(sessionListQuery(offset));
  const [toRevoke, setToRevoke] = useState<OrganizationSession | null>(null);
  const columns = [WHO, ...sessionColumns<OrganizationSession>(setToRevoke, ({ user }) => user.email)];
  return (
    <div className="grid gap-3">
      <p className="text-muted">Sessions expire 14 days after sign-in or after 24 hours of inactivity.</p>
      <DataState query={sessions} subject="sessions" skeleton={<DataTableSkeleton columns={columns} />}>
        {({ data, total_count }) => (
          <>
            <DataTable label="Sessions" columns={columns} rows={data} rowKey={({ id }) => id} />
            <Pager total={total_count} shown={data.length} />
          </>
        )}
      </DataState>
      <RevokeSession
        session={toRevoke}
        whose={toRevoke ? memberName(toRevoke.user) : ""}
        revocation={useRevokeSession()}
        onClose={() => setToRevoke(null)}
      />
    </div>
  );
}
