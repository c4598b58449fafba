"use client";
import { useState } from "react";
import { AssignDialog } from "@/components/assignments/assign-dialog";
import { Button } from "@/components/ui/button";
import { TagList } from "@/components/tags/tag-list";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextLink } from "@/components/ui/text-link";
import { formatUsd } from "@/components/ui/usd";
import { useWorkspaceNames } from "@/components/workspaces/workspace-queries";
import type { Key } from "@/lib/records/keys/contract";
import { KeyGuardrail, KeySpend } from "./key-columns";

const HASH_SHOWN = 16;

const time = (at: string | null, never: string) =>
  at ? <RelativeTime at={at} /> : <span className="text-muted">{never}</span>;

/** Null for members, who can't read workspaces. */
const workspaceOf = ({ kind, workspace_id }: Key, canManage: boolean, workspaces: ReadonlyMap<string, string>) =>
  kind === "management" ? "All workspaces" : canManage ? (workspaces.get(workspace_id) ?? "…") : null;

export function KeyFacts({ record, canManage }: { record: Key; canManage: boolean }) {
  const workspaces = useWorkspaceNames(canManage);
  const owner = record.creator_name ?? "None";
  return (
    <Card id="facts" title="Key">
      <Facts
        facts={[
          {
            term: "Guardrail",
            value: record.kind === "inference" ? <Guardrail record={record} canManage={canManage} /> : null,
          },
          {
            term: "Owner",
            value:
              canManage && record.creator_user_id ? (
                <TextLink href={`/members/${record.creator_user_id}`}>{owner}</TextLink>
              ) : (
                owner
              ),
          },
          {
            term: "Workspace",
            value: workspaceOf(record, canManage, workspaces),
          },
          { term: "Tags", value: record.tags.length > 0 ? <TagList tags={record.tags} /> : null },
          { term: "Spend", value: <KeySpend {...record} /> },
          { term: "Spend this month", value: formatUsd(record.usage_monthly) },
          { term: "BYOK spend", value: record.byok_usage > 0 ? formatUsd(record.byok_usage) : null },
          { term: "Requests in the last 24 hours", value: record.requests_last_day.toLocaleString("en") },
          { term: "Last used", value: time(record.last_used_at, "Never") },
          { term: "Expires", value: time(record.expires_at, "Never") },
          { term: "Created", value: time(record.created_at, "") },
          { term: "Updated", value: record.updated_at && time(record.updated_at, "") },
          {
            term: "Hash",
            value: <MonoId value={record.hash} shown={`${record.hash.slice(0, HASH_SHOWN)}…`} name="key hash" />,
          },
        ]}
      />
    </Card>
  );
}

/** Shows the guardrail with a button to change it. */
function Guardrail({ record, canManage }: { record: Key; canManage: boolean }) {
  const [isAssigning, setAssigning] = useState(false);
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <KeyGuardrail {...record} isLinked={canManage} />
      {canManage && (
        <Button size="sm" onClick={() => setAssigning(true)}>
          {record.guardrail_id ? "Change guardrail" : "Assign guardrail"}
        </Button>
      )}
      <AssignDialog
        kind="keys"
        subjects={[{ id: record.hash, name: record.name }]}
        open={isAssigning}
        onClose={() => setAssigning(false)}
      />
    </span>
  );
}
