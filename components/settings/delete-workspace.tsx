"use client";
import { useQueries } from "@tanstack/react-query";
import { FailureAlert } from "@/components/form/failure-alert";
import { inWorkspace } from "@/components/layout/navigation";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { TextLink } from "@/components/ui/text-link";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Workspace } from "@/lib/records/workspaces/contract";
import { holdingsQueries, useDeleteWorkspace } from "./settings-queries";

interface DeleteWorkspaceProps {
  /** Null when closed. */
  workspace: Workspace | null;
  onClose: () => void;
}

export const DeleteWorkspace = ({ workspace, onClose }: DeleteWorkspaceProps) =>
  workspace && <Question workspace={workspace} onClose={onClose} />;

function Question({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const deletion = useDeleteWorkspace();
  const [keys, guardrails, presets] = useQueries({ queries: [...holdingsQueries(workspace.id)] });
  const held = [
    { path: "/keys", noun: "key", query: keys },
    { path: "/guardrails", noun: "guardrail", query: guardrails },
    { path: "/presets", noun: "preset", query: presets },
  ].map(({ path, noun, query }) => ({
    href: inWorkspace(path, workspace.id),
    noun,
    count: query.data?.total_count,
    isFailed: query.isError,
  }));
  const isHeld = held.some(({ count = 0 }) => count > 0);
  const confirm = () =>
    deletion.mutate(workspace, {
      onSuccess: () => {
        toast.success(`“${workspace.name}” deleted`);
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete “${workspace.name}”?`}
      action="Delete workspace"
      onConfirm={confirm}
      isPending={deletion.isPending}
      typed={workspace.slug}
      touches={<Holdings held={held} />}
      isImpossible={isHeld}
    >
      <p>
        {isHeld
          ? "Only empty workspaces can be deleted. Delete what it contains first."
          : "The workspace's alerts and generations are deleted too. This can't be undone."}
      </p>
      {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
    </ConfirmDialog>
  );
}

interface Holding {
  /** List of what the workspace contains. */
  href: string;
  noun: string;
  /** Undefined until loaded. */
  count: number | undefined;
  isFailed: boolean;
}

function Holdings({ held }: { held: readonly Holding[] }) {
  if (held.some(({ count }) => count === undefined))
    return (
      <p>{held.some(({ isFailed }) => isFailed) ? "Couldn't load the workspace's contents." : "Loading contents…"}</p>
    );
  const filled = held.filter(({ count }) => count !== 0);
  if (filled.length === 0) return <p>Contains no keys, guardrails or presets.</p>;
  return (
    <ul className="grid justify-items-start gap-1">
      {filled.map(({ href, noun, count }) => (
        <li key={noun}>
          <TextLink href={href}>
            {count} {noun}
            {count !== 1 && "s"}
          </TextLink>
        </li>
      ))}
    </ul>
  );
}
