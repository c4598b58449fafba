"use client";
import { useQuery } from "@tanstack/react-query";
import { FailureAlert } from "@/components/form/failure-alert";
import { useMay } from "@/components/session/user-context";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { getCoverage } from "@/lib/browser/operations/coverage";
import { toFailure } from "@/lib/browser/api-failure";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { assignedTo } from "./assigned-to";
import { useDeleteGuardrail } from "./guardrail-queries";
import { guardrailUseQuery, type GuardrailUse } from "./guardrail-use";

interface DeleteGuardrailProps {
  /** Null when closed. */
  guardrail: Guardrail | null;
  onClose: () => void;
  onDeleted?: () => void;
}

/** Confirms the deletion of a guardrail. If it may be enforced somewhere, its name has to be typed. */
export function DeleteGuardrail({ guardrail, onClose, onDeleted }: DeleteGuardrailProps) {
  const deletion = useDeleteGuardrail();
  const canSeeUse = useMay(getCoverage);
  const { data, isError } = useQuery({
    ...guardrailUseQuery(guardrail?.workspace_id ?? null, guardrail ? [guardrail.id] : []),
    enabled: canSeeUse && guardrail !== null,
  });
  const isUnknown = isError || !canSeeUse;
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
  const mustBeNamed = guardrail !== null && (isUnknown || (use !== undefined && reachOf(use) !== ""));
  return (
    <ConfirmDialog
      open={guardrail !== null}
      onOpenChange={(open) => !open && close()}
      title={`Delete “${guardrail?.name ?? ""}”?`}
      action="Delete guardrail"
      onConfirm={confirm}
      isPending={deletion.isPending}
      isDisabled={use === undefined && !isUnknown}
      {...(mustBeNamed && { typed: guardrail.name })}
    >
      <p>{isUnknown ? "Assigned keys and members lose its protection immediately." : consequence(use)}</p>
      <p>This can&apos;t be undone.</p>
      {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
    </ConfirmDialog>
  );
}

const reachOf = (use: GuardrailUse) =>
  [assignedTo(use), use.is_default ? "every key in the workspace (as its default)" : ""].filter(Boolean).join(" and ");

function consequence(use: GuardrailUse | undefined): string {
  if (!use) return "Checking assignments…";
  const reach = reachOf(use);
  return reach ? `It stops protecting ${reach} immediately.` : "It isn't assigned to any key or member.";
}
