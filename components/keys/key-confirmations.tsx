"use client";
import { toast } from "sonner";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toFailure } from "@/lib/browser/api-failure";
import type { Key } from "@/lib/keys/contract";
import { useDeleteKey, useSetKeyDisabled } from "./key-queries";

interface KeyConfirmationProps {
  /** Null: closed. */
  target: Key | null;
  onClose: () => void;
}

export function DisableKey({ target, onClose }: KeyConfirmationProps) {
  const change = useSetKeyDisabled();
  const close = () => {
    change.reset();
    onClose();
  };
  const confirm = () => {
    if (!target) return;
    change.mutate(
      { key: target, disabled: true },
      {
        onSuccess: () => {
          toast.success(`“${target.name}” disabled`);
          close();
        },
      },
    );
  };
  return (
    <ConfirmDialog
      open={target !== null}
      onOpenChange={(open) => !open && close()}
      title={`Disable “${target?.name ?? ""}”?`}
      action="Disable key"
      onConfirm={confirm}
      isPending={change.isPending}
    >
      <p>
        Requests with <code className="font-mono">{target?.label}</code> are refused from now on. You can enable it again.
      </p>
      {change.error && <FailureAlert failure={toFailure(change.error)} />}
    </ConfirmDialog>
  );
}

export function DeleteKey({ target, onClose }: KeyConfirmationProps) {
  const deletion = useDeleteKey();
  const close = () => {
    deletion.reset();
    onClose();
  };
  const confirm = () => {
    if (!target) return;
    deletion.mutate(target, {
      onSuccess: () => {
        toast.success(`“${target.name}” deleted`);
        close();
      },
    });
  };
  return (
    <ConfirmDialog
      open={target !== null}
      onOpenChange={(open) => !open && close()}
      title={`Delete “${target?.name ?? ""}”?`}
      action="Delete key"
      onConfirm={confirm}
      isPending={deletion.isPending}
    >
      <p>
        Requests with <code className="font-mono">{target?.label}</code> are refused from now on, and its guardrail assignment is removed. Its
        history stays. This can&apos;t be undone.
      </p>
      {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
    </ConfirmDialog>
  );
}
