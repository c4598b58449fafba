import Link from "next/link";
import { formatSpend } from "@/components/analytics/measures";
import { rangeSpendColumn } from "@/components/analytics/range-spend";
import { TagList } from "@/components/tags/tag-list";
import { Badge } from "@/components/ui/badge";
import type { Column } from "@/components/ui/data-table";
import { MenuItem, MenuSeparator } from "@/components/ui/menu";
import { RowMenu } from "@/components/ui/row-menu";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextLink } from "@/components/ui/text-link";
import { formatUsd } from "@/components/ui/usd";
import { useDefaultGuardrail } from "@/components/workspaces/workspace-queries";
import type { Range } from "@/lib/records/generations/vocabulary";
import type { Key } from "@/lib/records/keys/contract";
import { KeyStatus } from "./key-status";

const HASH_SHOWN = 10;

export interface KeyActions {
  onSetDisabled: (key: Key, disabled: boolean) => void;
  /** Null for members, who don't assign guardrails or enable keys. */
  onAssign: ((key: Key) => void) | null;
  onDelete: (key: Key) => void;
}

interface ColumnOptions {
  /** Null for read-only access. */
  actions: KeyActions | null;
  canSeeGuardrails: boolean;
  workspaces: ReadonlyMap<string, string>;
  /** Range of the column with the spend; without one, there is no such column. */
  range?: Range;
}

const nothing = (text: string) => <span className="text-muted">{text}</span>;

/** "$1.20 of $10.00 monthly". */
export function KeySpend({ usage, limit, limit_reset }: Pick<Key, "usage" | "limit" | "limit_reset">) {
  return (
    <span className="tabular-nums">
      {formatSpend(usage)}
      {limit !== null && (
        <span className="text-muted">
          {" "}
          of {formatUsd(limit)} {limit_reset ?? "total"}
        </span>
      )}
    </span>
  );
}

const limitOf = (key: Key) =>
  key.limit !== null && (
    <span className="block text-[13px] text-muted">
      <KeySpend {...key} />
    </span>
  );

/** The key's own guardrail, or its workspace's default. Management keys can't have one, and members can't open guardrails. */
export function KeyGuardrail({
  guardrail_id,
  guardrail_name,
  kind,
  workspace_id,
  isLinked,
}: Pick<Key, "guardrail_id" | "guardrail_name" | "kind" | "workspace_id"> & { isLinked: boolean }) {
  const defaultId = useDefaultGuardrail(guardrail_id === null && isLinked ? workspace_id : null);
  if (kind === "management") return nothing("–");
  if (guardrail_id === null) {
    if (defaultId === null) return nothing("None");
    return (
      <TextLink href={`/guardrails/${defaultId}`} className="relative z-10">
        Workspace default
      </TextLink>
    );
  }
  return isLinked ? (
    <TextLink href={`/guardrails/${guardrail_id}`} className="relative z-10 break-words">
      {guardrail_name}
    </TextLink>
  ) : (
    <>{guardrail_name}</>
  );
}

const dataColumns = ({ canSeeGuardrails, workspaces, range }: Omit<ColumnOptions, "actions">): Column<Key>[] => [
  {
    id: "name",
    header: "Name",
    sortKey: "name",
    className: "md:w-[30%]",
    cell: ({ hash, name, label, kind }) => (
      <div className="grid min-w-0 gap-0.5 pr-8 md:pr-0">
        <span className="flex flex-wrap items-center gap-x-2 font-medium">
          <Link href={`/keys/${hash}`} className="wrap-anywhere after:absolute after:inset-0">
            {name}
          </Link>
          {kind === "management" && <Badge tone="accent">Management</Badge>}
        </span>
        <code className="font-mono text-[13px] text-muted">{label}</code>
      </div>
    ),
  },
  { id: "status", header: "Status", cell: (key) => <KeyStatus {...key} /> },
  { id: "guardrail", header: "Guardrail", cell: (key) => <KeyGuardrail {...key} isLinked={canSeeGuardrails} /> },
  ...(range ? [rangeSpendColumn<Key>(range, ({ kind }) => kind === "inference", limitOf)] : []),
  {
    id: "usage",
    header: range ? "Total spend" : "Spend",
    sortKey: "usage",
    isHiddenAtFirst: range !== undefined,
    cell: (key) => <KeySpend {...key} />,
  },
  {
    id: "last_used",
    header: "Last used",
    cell: ({ last_used_at, kind }) =>
      last_used_at ? <RelativeTime at={last_used_at} /> : nothing(kind === "management" ? "–" : "Never"),
  },
  {
    id: "tags",
    header: "Tags",
    isHiddenAtFirst: true,
    cell: ({ tags }) => (tags.length > 0 ? <TagList tags={tags} /> : nothing("None")),
  },
  {
    id: "owner",
    header: "Owner",
    isHiddenAtFirst: true,
    cell: ({ creator_name }) => <span className="break-words">{creator_name ?? nothing("None")}</span>,
  },
  {
    id: "workspace",
    header: "Workspace",
    isHiddenAtFirst: true,
    cell: ({ workspace_id }) => <span className="break-words">{workspaces.get(workspace_id) ?? "–"}</span>,
  },
  {
    id: "expires_at",
    header: "Expires",
    sortKey: "expires_at",
    cell: ({ expires_at }) => (expires_at ? <RelativeTime at={expires_at} /> : nothing("Never")),
  },
  {
    id: "created_at",
    header: "Created",
    sortKey: "created_at",
    isHiddenAtFirst: true,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
  {
    id: "hash",
    header: "Hash",
    isHiddenAtFirst: true,
    cell: ({ hash }) => <MonoId value={hash} shown={`${hash.slice(0, HASH_SHOWN)}…`} name="key hash" />,
  },
];

const actionsColumn = ({ onSetDisabled, onAssign, onDelete }: KeyActions): Column<Key> => ({
  id: "actions",
  header: "Actions",
  isControl: true,
  cell: (key) =>
    onAssign === null && key.kind === "management" ? null : (
      <RowMenu name={key.name}>
        {onAssign && key.kind === "inference" && <MenuItem onSelect={() => onAssign(key)}>Assign guardrail…</MenuItem>}
        {onAssign ? (
          <MenuItem onSelect={() => onSetDisabled(key, !key.disabled)}>{key.disabled ? "Enable" : "Disable"}</MenuItem>
        ) : (
          !key.disabled && <MenuItem onSelect={() => onSetDisabled(key, true)}>Disable…</MenuItem>
        )}
        {(onAssign ?? !key.disabled) && <MenuSeparator />}
        <MenuItem isDestructive onSelect={() => onDelete(key)}>
          Delete…
        </MenuItem>
      </RowMenu>
    ),
});

export const keyColumns = (options: ColumnOptions): Column<Key>[] =>
  options.actions ? [...dataColumns(options), actionsColumn(options.actions)] : dataColumns(options);

const OF_A_MEMBER = new Set(["name", "status", "guardrail", "usage", "last_used"]);
/** Columns for admins viewing a member's keys. */
export const OWNED_KEY_COLUMNS = dataColumns({ canSeeGuardrails: true, workspaces: new Map() })
  .filter(({ id }) => OF_A_MEMBER.has(id))
  .map(({ sortKey: _, ...column }) => column);
