"use client";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { ScimToken } from "@/lib/records/scim-tokens/contract";
import { useDeleteToken } from "./directory-queries";

export function DeleteToken({ token: { id, name }, onClose }: { token: ScimToken; onClose: () => void }) {
  const deletion = useDeleteToken();
  const confirm = () =>
    deletion.mutate(id, {
      onSuccess: () => {
        toast.success(`“${name}” deleted`);
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Delete “${name}”?`}
      action="Delete token"
      isPending={deletion.isPending}
      onConfirm={confirm}
    >
      <p>The directory that uses this token can no longer change members and groups, which stay as they are.</p>
      {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
    </ConfirmDialog>
  );
}
