"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { useState } from "react";
import { AssignDialog } from "@/components/assignments/assign-dialog";
import { sessionQuery } from "@/components/session/session-queries";
import { useMay } from "@/components/session/user-context";
import { TagList } from "@/components/tags/tag-list";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextLink } from "@/components/ui/text-link";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import type { Member } from "@/lib/records/members/contract";
import { memberName } from "./member-name";
import { count } from "@/lib/platform/count";

interface MemberFactsProps {
  member: Member;
  workspaceId: string | undefined;
}

export function MemberFacts({ member, workspaceId }: MemberFactsProps) {
  const { open_sessions } = member;
  return (
    <Card id="facts" title="Member">
      <div className="grid gap-4">
        <Facts
          facts={[
            { term: "Added", value: <RelativeTime at={member.created_at} /> },
            { term: "Active keys", value: String(member.active_keys) },
            {
              term: "Active sessions",
              value: open_sessions === 0 ? "No active sessions" : count(open_sessions, "browser"),
            },
            {
              term: "Second factor",
              value:
                [
                  member.totp_enabled ? "Authenticator app" : null,
                  member.passkeys > 0 ? count(member.passkeys, "passkey") : null,
                ]
                  .filter(Boolean)
                  .join(", ") || "None",
            },
            { term: "Groups", value: member.groups.length > 0 && <GroupLinks groups={member.groups} /> },
            { term: "Tags", value: member.tags.length > 0 ? <TagList tags={member.tags} /> : null },
            { term: "Managed by", value: member.is_provisioned && "Directory" },
            { term: "Directory ID", value: member.external_id },
            { term: "User ID", value: <MonoId value={member.id} name="user ID" /> },
          ]}
        />
        <MemberGuardrails member={member} workspaceId={workspaceId} />
      </div>
    </Card>
  );
}

const GroupLinks = ({ groups }: { groups: Member["groups"] }) => (
  <ul>
    {groups.map(({ id, name }) => (
      <li key={id}>
        <TextLink href={`/members/groups?group=${id}`}>{name}</TextLink>
      </li>
    ))}
  </ul>
);

/**
 * The member's guardrail per workspace, editable in place. Selecting a workspace also switches the effective policy
 * shown.
 */
function MemberGuardrails({ member, workspaceId }: MemberFactsProps) {
  const workspaces = useQuery(workspacesQuery).data?.data ?? [];
  const defaultId = useQuery(sessionQuery).data?.workspace_id;
  const [, setWorkspace] = useQueryState("workspace");
  const [isAssigning, setAssigning] = useState(false);
  const canAssign = useMay("guardrails:write");
  const shownId = workspaceId ?? defaultId;
  const heldIn = new Set(member.guardrails.map(({ workspace_id }) => workspace_id));
  const shown = workspaces.filter(({ id }) => id === shownId || heldIn.has(id));
  const change = async (id: string) => {
    await setWorkspace(id === defaultId ? null : id);
    setAssigning(true);
  };
  return (
    <section aria-labelledby="guardrails" className="grid gap-2 border-t pt-4">
      <h3 id="guardrails" className="text-[13px] text-muted">
        Guardrails
      </h3>
      <ul className="grid gap-2">
        {shown.map(({ id, name }) => {
          const held = member.guardrails.find(({ workspace_id }) => workspace_id === id);
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="break-words">
                {held ? (
                  <TextLink href={`/guardrails/${held.guardrail_id}`}>{held.guardrail_name}</TextLink>
                ) : (
                  <span className="text-muted">None</span>
                )}
              </span>
              <span className="text-[13px] break-words text-muted">in {name}</span>
              {canAssign && (
                <Button
                  size="sm"
                  aria-label={`${held ? "Change" : "Assign"} guardrail in ${name}`}
                  onClick={() => void change(id)}
                >
                  {held ? "Change guardrail" : "Assign guardrail"}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <AssignDialog
        kind="members"
        subjects={[{ id: member.id, name: memberName(member) }]}
        open={isAssigning}
        onClose={() => setAssigning(false)}
      />
    </section>
  );
}
