"use client";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { WorkloadIdentity } from "@/lib/records/workload-identities/contract";
import { useDeleteIdentity } from "./identity-queries";

interface DeleteIdentityProps {
  identity: WorkloadIdentity;
  onClose: () => void;
}

export function DeleteIdentity({ identity: { id, key_hash, name }, onClose }: DeleteIdentityProps) {
  const deletion = useDeleteIdentity(key_hash);
  const confirm = () =>
    deletion.mutate(id, {
      onSuccess: () => {
        toast.success("Workload identity deleted");
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Delete “${name}”?`}
      action="Delete identity"
      isPending={deletion.isPending}
      onConfirm={confirm}
    >
      <p>Keys that it exchanged end at once.</p>
      {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
    </ConfirmDialog>
  );
}
