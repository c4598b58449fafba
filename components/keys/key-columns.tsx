import { Ellipsis } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { Column } from "@/components/ui/data-table";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatUsd } from "@/components/ui/usd";
import type { Key } from "@/lib/keys/contract";
import { KeyStatus } from "./key-status";

const HASH_SHOWN = 10;

export interface KeyActions {
  onDisable: (key: Key) => void;
  onEnable: (key: Key) => void;
  onDelete: (key: Key) => void;
}

const dataColumns: Column<Key>[] = [
  {
    header: "Name",
    className: "md:w-[24%]",
    cell: ({ name, label, kind }) => (
      <div className="grid gap-0.5 pr-8 md:pr-0">
        <span className="flex flex-wrap items-center gap-x-2 font-medium break-words">
          {name}
          {kind === "management" && <Badge tone="accent">Management</Badge>}
        </span>
        <code className="font-mono text-[13px] text-muted">{label}</code>
      </div>
    ),
  },
  { header: "Status", cell: (key) => <KeyStatus {...key} /> },
  { header: "Hash", cell: ({ hash }) => <MonoId value={hash} shown={`${hash.slice(0, HASH_SHOWN)}…`} name="key hash" /> },
  {
    header: "Spent",
    className: "md:whitespace-nowrap",
    cell: ({ usage, limit, limit_reset }) => (
      <span className="tabular-nums">
        {formatUsd(usage)}
        {limit !== null && (
          <span className="text-muted">
            {" "}
            of {formatUsd(limit)} {limit_reset ?? "in total"}
          </span>
        )}
      </span>
    ),
  },
  { header: "Expires", cell: ({ expires_at }) => (expires_at ? <RelativeTime at={expires_at} /> : <span className="text-muted">Never</span>) },
  { header: "Created", cell: ({ created_at }) => <RelativeTime at={created_at} /> },
];

const actionsColumn = ({ onDisable, onEnable, onDelete }: KeyActions): Column<Key> => ({
  header: "Actions",
  isControl: true,
  cell: (key) => (
    <Menu
      trigger={
        <Button variant="ghost" size="icon-sm" className="text-muted" aria-label={`Actions for ${key.name}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      {key.disabled ? (
        <MenuItem onSelect={() => onEnable(key)}>Enable</MenuItem>
      ) : (
        <MenuItem onSelect={() => onDisable(key)}>Disable…</MenuItem>
      )}
      <MenuSeparator />
      <MenuItem isDestructive onSelect={() => onDelete(key)}>
        Delete…
      </MenuItem>
    </Menu>
  ),
});

/** Without actions for those who may only look. */
export const keyColumns = (actions: KeyActions | null): Column<Key>[] => (actions ? [...dataColumns, actionsColumn(actions)] : dataColumns);
