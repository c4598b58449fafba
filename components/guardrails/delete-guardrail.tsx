"use client";
import { useQuery } from "@tanstack/react-query";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Guardrail } from "@/lib/guardrails/contract";
import { assignedTo } from "./assigned-to";
import { useDeleteGuardrail } from "./guardrail-queries";
import { guardrailUseQuery, type GuardrailUse } from "./guardrail-use";

interface DeleteGuardrailProps {
  /** Null: closed. */
  guardrail: Guardrail | null;
  onClose: () => void;
  onDeleted?: () => void;
}

/** Asks before a guardrail is deleted; one that may enforce something must be named. */
export function DeleteGuardrail({ guardrail, onClose, onDeleted }: DeleteGuardrailProps) {
  const deletion = useDeleteGuardrail();
  const { data, isError } = useQuery(
    guardrailUseQuery(guardrail?.workspace_id ?? null, guardrail ? [guardrail.id] : []),
  );
  const use = data?.data.guardrails.find(({ guardrail_id }) => guardrail_id === guardrail?.id);
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
  const mustBeNamed = guardrail !== null && (isError || (use !== undefined && reachOf(use) !== ""));
  return (
    <ConfirmDialog
      open={guardrail !== null}
      onOpenChange={(open) => !open && close()}
      title={`Delete “${guardrail?.name ?? ""}”?`}
      action="Delete guardrail"
      onConfirm={confirm}
      isPending={deletion.isPending || (use === undefined && !isError)}
      {...(mustBeNamed && { typed: guardrail.name })}
    >
      <p>{isError ? "Keys and members that are assigned to it lose what it enforces at once." : consequence(use)}</p>
      <p>This can&apos;t be undone.</p>
      {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
    </ConfirmDialog>
  );
}

const reachOf = (use: GuardrailUse) =>
  [assignedTo(use), use.is_default ? "every key without a guardrail of its own, as the default of the workspace" : ""]
    .filter(Boolean)
    .join(", and on ");

function consequence(use: GuardrailUse | undefined): string {
  if (!use) return "Looking up what it is assigned to…";
  const reach = reachOf(use);
  return reach ? `What it enforces on ${reach} ends at once.` : "It is assigned to no key and no member.";
}
