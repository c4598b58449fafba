import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import { PRECONDITION_FAILED, toFailure } from "@/lib/browser/api-failure";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { HistoryDiff } from "./history-diff";
import { useRestore } from "./history-queries";

const MESSAGE_MAX = 500;

interface HistoryRestoreProps {
  current: Guardrail;
  revision: number;
  onClose: () => void;
  onRestored: () => void;
}

/** Previews a restore and applies it, unless the guardrail changed in the meantime. */
export function HistoryRestore({ current, revision, onClose, onRestored }: HistoryRestoreProps) {
  const [message, setMessage] = useState("");
  const [isStale, setStale] = useState(false);
  const restore = useRestore();
  const confirm = () =>
    restore.mutate(
      { current, revision, message: message.trim() },
      {
        onSuccess: ({ data }) => {
          toast.success(`Revision ${revision} restored`, { description: `Saved as revision ${data.revision}.` });
          onRestored();
        },
        onError: (error) => setStale(toFailure(error).status === PRECONDITION_FAILED),
      },
    );
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className="max-w-2xl"
      title={`Restore revision ${revision}?`}
      description={`Saves these fields of “${current.name}” as revision ${current.revision + 1}. Assignments and earlier revisions are not affected.`}
    >
      <HistoryDiff id={current.id} from={current.revision} to={revision} />
      <label className="grid gap-1.5 text-sm">
        <span className="font-medium">
          Reason <span className="font-normal text-muted">(optional)</span>
        </span>
        <Input
          value={message}
          maxLength={MESSAGE_MAX}
          placeholder={`Restored revision ${revision}`}
          onChange={({ target }) => setMessage(target.value)}
        />
      </label>
      {isStale && (
        <p role="alert" className="text-sm text-warning">
          Someone else saved this guardrail in the meantime. Nothing has been restored yet; review the updated changes
          above.
        </p>
      )}
      {restore.error && !isStale && <FailureAlert failure={toFailure(restore.error)} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" disabled={restore.isPending} onClick={confirm}>
          Restore revision {revision}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
