"use client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Generation } from "@/lib/generations/contract";
import { useDeleteContent } from "./generation-queries";

/** Deletes what was said; that it was said stays. */
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
      onError: (error) => toast.error("The content was not deleted", { description: toFailure(error).message }),
    });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Delete the content of this generation?"
      action="Delete content"
      typed="delete"
      onConfirm={confirm}
      isPending={remove.isPending}
    >
      <p>Prompt, completion, reasoning and stored error are deleted for everybody. This can’t be undone.</p>
      <p>The record stays: model, cost, tokens and decisions.</p>
    </ConfirmDialog>
  );
}
