import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { useUpdateGuardrail } from "@/components/guardrails/guardrail-queries";
import { May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { invalidate } from "@/lib/browser/api-query";
import { getGuardrail } from "@/lib/browser/operations/guardrails";
import type { Guardrail } from "@/lib/records/guardrails/contract";

/** Asks before a guardrail that only observes is enforced. */
export function EnforceGuardrail({ guardrail }: { guardrail: Guardrail }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { mutateAsync, isPending, error, reset } = useUpdateGuardrail();
  const change = (open: boolean) => {
    reset();
    setOpen(open);
  };
  // Callbacks of `mutate` wouldn't run: this button is gone once the guardrail is enforced.
  const enforce = () =>
    mutateAsync({ base: guardrail, body: { mode: "enforce" } }).then(
      ({ data }) => toast.success(`“${data.name}” enforced`, { description: `Saved as revision ${data.revision}.` }),
      // Loads the revision that another try is based on.
      () => invalidate(client, getGuardrail),
    );
  return (
    <>
      <May permission="guardrails:write">
        <Button variant="primary" onClick={() => change(true)}>
          Enforce…
        </Button>
      </May>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={change}
        title={`Enforce “${guardrail.name}”?`}
        action="Enforce guardrail"
        isDestructive={false}
        isPending={isPending}
        onConfirm={() => void enforce()}
      >
        <p>Its rules take effect on the next request of every assigned key and member.</p>
        {error && <FailureAlert failure={toFailure(error)} />}
      </ConfirmDialog>
    </>
  );
}
