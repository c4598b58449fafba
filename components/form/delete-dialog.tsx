"use client";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { FailureAlert } from "./failure-alert";

interface DeleteDialogProps<Id> {
  id: Id;
  name: string;
  /** Text of the button, such as "Delete group". */
  action: string;
  deletion: UseMutationResult<unknown, Error, Id>;
  /** Text of the toast. */
  done?: string;
  onClose: () => void;
  /** Called instead of `onClose` after the deletion. */
  onDeleted?: () => void;
  /** True if the name must be typed to confirm. */
  isTyped?: boolean;
  /** Explains what the deletion affects. */
  children: ReactNode;
}

/** Asks before a named object is deleted, and shows why it couldn't be. */
export function DeleteDialog<Id>({
  id,
  name,
  action,
  deletion,
  done = `“${name}” deleted`,
  onClose,
  onDeleted = onClose,
  isTyped = false,
  children,
}: DeleteDialogProps<Id>) {
  const close = () => {
    deletion.reset();
    onClose();
  };
  const confirm = () =>
    deletion.mutate(id, {
      onSuccess: () => {
        toast.success(done);
        onDeleted();
      },
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && close()}
      title={`Delete “${name}”?`}
      action={action}
      {...(isTyped && { typed: name })}
      isPending={deletion.isPending}
      onConfirm={confirm}
    >
      <p>{children}</p>
      {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
    </ConfirmDialog>
  );
}
