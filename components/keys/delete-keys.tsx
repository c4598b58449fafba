"use client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import type { Key } from "@/lib/records/keys/contract";
import { useDeleteKeys } from "./key-queries";
import { keyNames, reportFailed } from "./use-key-actions";

interface DeleteKeysProps {
  /** None: closed. */
  keys: readonly Key[];
  onClose: () => void;
  onDeleted?: () => void;
}

/** Deletes one key or many after their name or number was typed, saying what goes with them. */
export function DeleteKeys({ keys, onClose, onDeleted }: DeleteKeysProps) {
  const deletion = useDeleteKeys();
  const [only] = keys;
  const isOne = keys.length === 1;
  const confirm = () =>
    deletion.mutate(keys, {
      onSuccess: (outcome) => {
        if (outcome.done.length > 0) {
          toast.success(`${keyNames(outcome.done)} deleted`);
          onDeleted?.();
        }
        reportFailed(outcome, "deleted");
        onClose();
      },
    });
  if (!only) return null;
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Delete ${keyNames(keys)}?`}
      action={isOne ? "Delete key" : `Delete ${keys.length} keys`}
      typed={isOne ? only.name : `delete ${keys.length} keys`}
      touches={<Touches keys={keys} />}
      onConfirm={confirm}
      isPending={deletion.isPending}
    >
      <p>
        Requests with {isOne ? "this key" : "these keys"} are refused from now on. The history stays. This can&apos;t be
        undone.
      </p>
    </ConfirmDialog>
  );
}

function Touches({ keys }: { keys: readonly Key[] }) {
  return (
    <ul className="grid gap-1.5">
      {keys.map(({ hash, name, label, guardrail_name, requests_last_day }) => (
        <li key={hash} className="wrap-anywhere">
          <span className="font-medium">{name}</span> <code className="font-mono text-[13px] text-muted">{label}</code>
          <span className="block text-[13px] text-muted">
            {requests_last_day === 0
              ? "No requests"
              : `${requests_last_day.toLocaleString("en")} ${requests_last_day === 1 ? "request" : "requests"}`}{" "}
            in the last day
            {guardrail_name ? `; leaves the guardrail “${guardrail_name}”` : "; holds no guardrail"}
          </span>
        </li>
      ))}
    </ul>
  );
}
