"use client";
import { useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { call } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { deleteGuardrail } from "@/lib/browser/operations/guardrails";
import { getCoverage } from "@/lib/browser/operations/coverage";
import type { GapRow } from "./gaps";

interface DeleteGuardrailsProps {
  guardrails: readonly GapRow[];
  onClose: () => void;
  onDone: () => void;
}

const guardrailsOf = (count: number) => (count === 1 ? "1 guardrail" : `${count} guardrails`);

/** Deletes the guardrails that are still unassigned and keeps those assigned in the meantime. */
async function deleteIdle(guardrails: readonly GapRow[]): Promise<{ deleted: number; kept: string[] }> {
  const { data } = await call(getCoverage, { query: { guardrail_id: guardrails.map(({ id }) => id) } });
  const used = new Set(
    data.guardrails
      .filter(({ keys, members, is_default }) => keys + members > 0 || is_default)
      .map(({ guardrail_id }) => guardrail_id),
  );
  const idle = guardrails.filter(({ id }) => !used.has(id));
  for (const { id } of idle) await call(deleteGuardrail, { params: { id } });
  return { deleted: idle.length, kept: guardrails.filter(({ id }) => used.has(id)).map(({ name }) => name) };
}

export function DeleteGuardrails({ guardrails, onClose, onDone }: DeleteGuardrailsProps) {
  const client = useQueryClient();
  const deletion = useApiMutation({
    mutationFn: () => deleteIdle(guardrails),
    onSettled: () => client.invalidateQueries(),
  });
  const confirm = () =>
    deletion.mutate(undefined, {
      onSuccess: ({ deleted, kept }) => {
        toast.success(
          `${guardrailsOf(deleted)} deleted`,
          kept.length > 0 ? { description: `Not deleted because now assigned: ${kept.join(", ")}` } : {},
        );
        onDone();
        onClose();
      },
      onError: (error) => toast.error("Some guardrails weren't deleted", { description: toFailure(error).message }),
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Delete ${guardrailsOf(guardrails.length)}?`}
      action={`Delete ${guardrailsOf(guardrails.length)}`}
      typed={`delete ${guardrailsOf(guardrails.length)}`}
      isPending={deletion.isPending}
      onConfirm={confirm}
      touches={
        <ul className="grid gap-0.5">
          {guardrails.map(({ id, name }) => (
            <li key={id} className="wrap-anywhere">
              {name}
            </li>
          ))}
        </ul>
      }
    >
      <p>
        These guardrails are unassigned, so no requests are affected. Their history stays in the audit log. This can’t
        be undone.
      </p>
    </ConfirmDialog>
  );
}
