"use client";
import { useQueries } from "@tanstack/react-query";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Workspace } from "@/lib/records/workspaces/contract";
import { holdingsQueries, useDeleteWorkspace } from "./settings-queries";

interface DeleteWorkspaceProps {
  /** Null when closed. */
  workspace: Workspace | null;
  onClose: () => void;
}

export function DeleteWorkspace({ workspace, onClose }: DeleteWorkspaceProps) {
  const deletion = useDeleteWorkspace();
  const close = () => {
    deletion.reset();
    onClose();
  };
  const confirm = () => {
    if (!workspace) return;
    deletion.mutate(workspace, {
      onSuccess: () => {
        toast.success(`“${workspace.name}” deleted`);
        close();
      },
    });
  };
  return (
    <ConfirmDialog
      open={workspace !== null}
      onOpenChange={(open) => !open && close()}
      title={`Delete “${workspace?.name ?? ""}”?`}
      action="Delete workspace"
      onConfirm={confirm}
      isPending={deletion.isPending}
      {...(workspace && { typed: workspace.slug, touches: <Holdings id={workspace.id} /> })}
    >
      <p>
        Only empty workspaces can be deleted. The workspace&apos;s generations are deleted too. This can&apos;t be
        undone.
      </p>
      {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
    </ConfirmDialog>
  );
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;

function Holdings({ id }: { id: string }) {
  const [keys, guardrails, presets] = useQueries({ queries: [...holdingsQueries(id)] });
  if (!keys.data || !guardrails.data || !presets.data)
    return (
      <p>
        {keys.isError || guardrails.isError || presets.isError
          ? "Couldn't load the workspace's contents."
          : "Loading contents…"}
      </p>
    );
  const held = `${counted(keys.data.total_count, "key")}, ${counted(guardrails.data.total_count, "guardrail")} and ${counted(presets.data.total_count, "preset")}`;
  return <p>Contains {held}.</p>;
}
