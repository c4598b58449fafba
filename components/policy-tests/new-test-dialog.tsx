import { FailureAlert } from "@/components/form/failure-alert";
import { Alert } from "@/components/ui/alert";
import { Dialog } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { toFailure } from "@/lib/browser/api-failure";
import { TestDialog } from "./test-dialog";
import type { TestStart } from "./test-values";

interface NewTestDialogProps {
  /** Initial values; null for a request that no test can cover. */
  start: TestStart | null;
  /** Guardrails that the test can be added to; undefined while loading. */
  guardrails: readonly { id: string; name: string }[] | undefined;
  error: unknown;
  note?: string | undefined;
  onClose: () => void;
}

/** Turns a recorded request into a policy test, once it and its guardrails have loaded. */
export function NewTestDialog({ start, guardrails, error, note, onClose }: NewTestDialogProps) {
  if (start && guardrails && guardrails.length > 0)
    return <TestDialog start={start} guardrails={guardrails} note={note} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="New policy test"
      description="Runs on every edit of the guardrail, without calling a model."
    >
      {error ? (
        <FailureAlert failure={toFailure(error)} />
      ) : !guardrails ? (
        <div role="status">
          <span className="sr-only">Loading the request</span>
          <Skeleton className="h-72" />
        </div>
      ) : start ? (
        <Alert kind="info" title="No guardrail applies to this key, so there is none to add a test to." />
      ) : (
        <Alert kind="info" title="Policy tests don’t cover budgets." />
      )}
    </Dialog>
  );
}
