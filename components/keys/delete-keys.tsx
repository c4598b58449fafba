"use client";
import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { count } from "@/lib/platform/count";
import type { Key } from "@/lib/records/keys/contract";
import { useDeleteKeys } from "./key-queries";
import { keyNames, reportFailed } from "./use-key-actions";

interface DeleteKeysProps {
  /** Empty when closed. */
  keys: readonly Key[];
  onClose: () => void;
  onDeleted?: () => void;
}

/** Deletes one or more keys after typing their name or number, listing what is affected. */
export function DeleteKeys({ keys, onClose, onDeleted }: DeleteKeysProps) {
  const deletion = useDeleteKeys();
  const [progress, setProgress] = useState(0);
  const [only] = keys;
  const isOne = keys.length === 1;
  const confirm = () =>
    deletion.mutate(
      { keys, onProgress: setProgress },
      {
        onSuccess: (outcome) => {
          if (outcome.done.length > 0) {
            toast.success(`${keyNames(outcome.done)} deleted`);
            onDeleted?.();
          }
          reportFailed(outcome, "deleted");
          onClose();
        },
      },
    );
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
        Requests with {isOne ? "this key" : "these keys"} will be rejected immediately. Logs are kept. This can&apos;t
        be undone.
      </p>
      {deletion.isPending && keys.length > 1 && (
        <p role="status">
          Deleting, {progress.toLocaleString("en")} of {count(keys.length, "key")}…
        </p>
      )}
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
            {requests_last_day === 0 ? "No requests" : count(requests_last_day, "request")} in the last 24 hours
            {guardrail_name ? `; guardrail “${guardrail_name}”` : "; no guardrail"}
          </span>
        </li>
      ))}
    </ul>
  );
}
