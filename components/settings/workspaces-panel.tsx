"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ResourceList, useListState } from "@/components/layout/resource-list";
import type { Workspace } from "@/lib/records/workspaces/contract";
import { GuardrailLink } from "@/components/guardrails/guardrail-link";
import { May } from "@/components/session/may";
import { useMay } from "@/components/session/user-context";
import { Badge } from "@/components/ui/badge";
import type { Column } from "@/components/ui/data-table";
import { MenuItem, MenuSeparator } from "@/components/ui/menu";
import { RowMenu } from "@/components/ui/row-menu";
import { RelativeTime } from "@/components/ui/relative-time";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import { deleteWorkspace } from "@/lib/browser/operations/workspaces";
import { toFailure } from "@/lib/browser/api-failure";
import { DeleteWorkspace } from "./delete-workspace";
import { workspaceListQuery, SETTINGS_STATE, useUpdateWorkspace } from "./settings-queries";
import { count } from "@/lib/platform/count";

/** Workspace list: all columns, or only logging and retention. */
export function WorkspacesPanel({ view }: { view: "all" | "logging" }) {
  const { state, setState, list } = useListState(SETTINGS_STATE);
  const workspaces = useQuery(workspaceListQuery(state));
  const [toDelete, setToDelete] = useState<Workspace | null>(null);
  const edit = ({ id }: Workspace) => void setState({ edit: id }, { history: "push" });
  return (
    <>
      <ResourceList
        label="Workspaces"
        subject="workspaces"
        query={workspaces}
        list={list}
        columns={workspaceColumns(view, { onEdit: edit, onDelete: setToDelete })}
        rowKey={({ id }) => id}
        searchCovers="Search covers names and slugs."
        onOpen={edit}
      />
      <DeleteWorkspace workspace={toDelete} onClose={() => setToDelete(null)} />
    </>
  );
}

interface WorkspaceActions {
  onEdit: (workspace: Workspace) => void;
  onDelete: (workspace: Workspace) => void;
}

const forDays = (days: number | null) => (days === null ? "Forever" : count(days, "day"));

const name = ({ onEdit }: WorkspaceActions): Column<Workspace> => ({
  id: "name",
  header: "Name",
  sortKey: "name",
  className: "md:w-[32%]",
  cell: (workspace) => (
    <div className="grid justify-items-start gap-0.5 pr-8 md:pr-0">
      <button
        type="button"
        onClick={() => onEdit(workspace)}
        className="inline-flex flex-wrap items-center gap-2 text-left font-medium wrap-anywhere after:absolute after:inset-0"
      >
        {workspace.name}
        {workspace.is_default && <Badge>Default</Badge>}
      </button>
      {workspace.description && <span className="line-clamp-1 text-[13px] text-muted">{workspace.description}</span>}
    </div>
  ),
});

const actions = ({ onEdit, onDelete }: WorkspaceActions): Column<Workspace> => ({
  id: "actions",
  header: "Actions",
  isControl: true,
  cell: (workspace) => (
    <RowMenu name={workspace.name}>
      <MenuItem onSelect={() => onEdit(workspace)}>Edit</MenuItem>
      {!workspace.is_default && (
        <May permission={deleteWorkspace}>
          <MenuSeparator />
          <MenuItem isDestructive onSelect={() => onDelete(workspace)}>
            Delete…
          </MenuItem>
        </May>
      )}
    </RowMenu>
  ),
});

const CONTENT: Column<Workspace> = {
  id: "content_retention",
  header: "Content retention",
  cell: ({ content_retention_days }) => forDays(content_retention_days),
};
const METADATA: Column<Workspace> = {
  id: "generation_retention",
  header: "Generation retention",
  cell: ({ metadata_retention_days }) => forDays(metadata_retention_days),
};

const workspaceColumns = (view: "all" | "logging", given: WorkspaceActions): Column<Workspace>[] =>
  view === "logging"
    ? [
        name(given),
        {
          id: "content_logging",
          header: "Content logging",
          cell: (workspace) => <LoggingSwitch workspace={workspace} />,
        },
        CONTENT,
        METADATA,
      ]
    : [
        name(given),
        {
          id: "slug",
          header: "Slug",
          sortKey: "slug",
          cell: ({ slug }) => <code className="font-mono text-[13px] break-all">{slug}</code>,
        },
        {
          id: "default_guardrail",
          header: "Default guardrail",
          cell: ({ default_guardrail_id }) =>
            default_guardrail_id ? (
              <GuardrailLink id={default_guardrail_id} />
            ) : (
              <span className="text-muted">None</span>
            ),
        },
        {
          id: "content",
          header: "Content",
          cell: ({ content_logging }) => (content_logging ? "Stored" : <span className="text-muted">Not stored</span>),
        },
        {
          id: "created_at",
          header: "Created",
          sortKey: "created_at",
          cell: ({ created_at }) => <RelativeTime at={created_at} />,
        },
        actions(given),
      ];

/** Turns content logging on or off, with an optimistic update. */
function LoggingSwitch({ workspace: { id, name, content_logging } }: { workspace: Workspace }) {
  const canChange = useMay("workspaces:write");
  const update = useUpdateWorkspace();
  const shown = update.isPending ? (update.variables.body?.content_logging ?? content_logging) : content_logging;
  const change = (isOn: boolean) =>
    update.mutate(
      { id, body: { content_logging: isOn } },
      {
        onSuccess: () =>
          toast.success(
            isOn ? `Content logging enabled for “${name}”` : `Content logging disabled for “${name}”`,
            isOn ? {} : { description: "Stored content is kept until its retention period ends." },
          ),
        onError: (error) => toast.error(`Couldn't update “${name}”`, { description: toFailure(error).message }),
      },
    );
  return (
    <Switch
      className="relative z-10"
      aria-label={`Content logging for ${name}`}
      checked={shown}
      disabled={!canChange || update.isPending}
      onChange={change}
    />
  );
}
