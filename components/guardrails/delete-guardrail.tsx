"use client";
import { useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toFailure } from "@/lib/browser/api-failure";
import type { Guardrail } from "@/lib/guardrails/contract";
import { assignedTo } from "./assigned-to";
import { assignmentCountsQuery, useDeleteGuardrail } from "./guardrail-queries";

interface DeleteGuardrailProps {
  /** Null: closed. */
  guardrail: Guardrail | null;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteGuardrail({ guardrail, onClose, onDeleted }: DeleteGuardrailProps) {
  const deletion = useDeleteGuardrail();
  const close = () => {
    deletion.reset();
    onClose();
  };
  const confirm = () => {
    if (!guardrail) return;
    deletion.mutate(guardrail, {
      onSuccess: () => {
        toast.success(`“${guardrail.name}” deleted`);
        close();
        onDeleted?.();
      },
    });
  };
  return (
    <ConfirmDialog
      open={guardrail !== null}
      onOpenChange={(open) => !open && close()}
      title={`Delete “${guardrail?.name ?? ""}”?`}
      action="Delete guardrail"
      onConfirm={confirm}
      isPending={deletion.isPending}
    >
      {guardrail && <Reach id={guardrail.id} />}
      {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
    </ConfirmDialog>
  );
}

/** What the deletion touches. */
function Reach({ id }: { id: string }) {
  const { data: counts } = useQuery(assignmentCountsQuery(id));
  return <p>{consequence(counts)} This can&apos;t be undone.</p>;
}

function consequence(counts: { keys: number; members: number } | undefined): string {
  if (!counts) return "Keys and members that are assigned to it lose what it enforces at once.";
  const holders = assignedTo(counts);
  return holders ? `What it enforces on ${holders} ends at once.` : "It is assigned to no key and no member.";
}
