"use client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Generation } from "@/lib/records/generations/contract";
import { useDeleteContent } from "./generation-queries";

/** Deletes the stored content of a generation but keeps its record. */
export function DeleteContent({
  generation: { id },
  open,
  onClose,
}: {
  generation: Generation;
  open: boolean;
  onClose: () => void;
}) {
  const remove = useDeleteContent(id);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast.success("Content deleted");
        onClose();
      },
      onError: (error) => toast.error("Couldn't delete the content", { description: toFailure(error).message }),
    });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Delete this generation's content?"
      action="Delete content"
      typed="delete"
      onConfirm={confirm}
      isPending={remove.isPending}
    >
      <p>The prompt, completion, reasoning and stored error are deleted for everyone. This can’t be undone.</p>
      <p>The record (model, cost, tokens and decisions) is kept.</p>
    </ConfirmDialog>
  );
}
