"use client";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Model } from "@/lib/records/models/contract";
import { useDeleteModel } from "./model-queries";

interface DeleteModelProps {
  /** Null when closed. */
  model: Model | null;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteModel({ model, onClose, onDeleted }: DeleteModelProps) {
  const deletion = useDeleteModel();
  const close = () => {
    deletion.reset();
    onClose();
  };
  const confirm = () => {
    if (!model) return;
    deletion.mutate(model, {
      onSuccess: () => {
        toast.success(`“${model.name}” deleted`);
        close();
        onDeleted();
      },
    });
  };
  const endpoints = model?.endpoints.length ?? 0;
  return (
    <ConfirmDialog
      open={model !== null}
      onOpenChange={(open) => !open && close()}
      title={`Delete “${model?.name ?? ""}”?`}
      action="Delete model"
      onConfirm={confirm}
      isPending={deletion.isPending}
      {...(model && { typed: model.slug })}
    >
      <p>
        Requests for this model will be rejected immediately, and its{" "}
        {endpoints === 1 ? "endpoint and price are" : `${endpoints} endpoints and their prices are`} deleted. Guardrails
        and presets still list it, and its requests stay in the log.
      </p>
      {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
    </ConfirmDialog>
  );
}
