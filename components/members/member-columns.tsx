import Link from "next/link";
import { TagList } from "@/components/tags/tag-list";
import type { Column } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextLink } from "@/components/ui/text-link";
import type { Member } from "@/lib/records/members/contract";
import { MemberStatus, RoleBadge } from "./member-badges";
import { memberName } from "./member-name";

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

export const memberColumns = (workspaces: ReadonlyMap<string, string>): Column<Member>[] => [
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
