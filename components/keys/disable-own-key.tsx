import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import type { Key } from "@/lib/records/keys/contract";
import { useKeyActions } from "./use-key-actions";

interface DisableOwnKeyProps {
  /** Null when closed. */
  record: Key | null;
  onClose: () => void;
}

/** Asks before a member disables their own key, which only an admin can undo. */
export function DisableOwnKey({ record, onClose }: DisableOwnKeyProps) {
  const { setDisabled, isPending } = useKeyActions();
  if (!record) return null;
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Disable “${record.name}”?`}
      action="Disable key"
      isPending={isPending}
      onConfirm={() => {
        setDisabled([record], true, true);
        onClose();
      }}
    >
      <p>Requests with this key are rejected from now on. Only an admin can enable it again.</p>
    </ConfirmDialog>
  );
}
