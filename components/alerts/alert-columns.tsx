import { Badge } from "@/components/ui/badge";
import type { Column } from "@/components/ui/data-table";
import type { Alert } from "@/lib/features/alerts/contract";
import { channelsText, conditionText } from "./alert-text";

export const alertColumns = (
  onOpen: (id: string) => void,
  workspaces: ReadonlyMap<string, string>,
): Column<Alert>[] => [
  {
    id: "name",
    header: "Name",
    className: "md:w-[24%]",
    cell: ({ id, name }) => (
      <button
        type="button"
        onClick={() => onOpen(id)}
        className="text-left font-medium wrap-anywhere after:absolute after:inset-0"
      >
        {name}
      </button>
    ),
  },
  { id: "condition", header: "Condition", className: "md:w-[32%]", cell: conditionText },
  { id: "channels", header: "Channels", cell: (alert) => <Channels alert={alert} /> },
  {
    id: "workspace",
    header: "Workspace",
    cell: ({ workspace_id }) => (workspace_id === null ? "All" : (workspaces.get(workspace_id) ?? "–")),
  },
  { id: "status", header: "Status", cell: (alert) => <AlertState alert={alert} /> },
];

/** Channels of a rule. Without one, nobody learns that it fires. */
export function Channels({ alert }: { alert: Alert }) {
  const text = channelsText(alert);
  return text === null ? <Badge tone="warning">No channel: notifies nobody</Badge> : <>{text}</>;
}

/** Status of a rule: off, firing or OK. */
export function AlertState({ alert: { enabled, firing } }: { alert: Alert }) {
  if (!enabled) return <Badge>Off</Badge>;
  if (firing > 0) return <Badge tone="danger">{firing === 1 ? "Firing" : `Firing (${firing})`}</Badge>;
  return <Badge tone="success">OK</Badge>;
}
