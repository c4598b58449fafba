import { AssignDialog } from "@/components/assignments/assign-dialog";
import { lazyComponent } from "@/components/ui/lazy-component";
import type { Key } from "@/lib/records/keys/contract";
import { DeleteKeys } from "./delete-keys";
import { DisableOwnKey } from "./disable-own-key";

const SetLimitsDialog = lazyComponent(() => import("./set-limits-dialog").then((file) => file.SetLimitsDialog));

/** The open dialog of the key list, with its keys. */
export interface KeyDialog {
  kind: "assign" | "limit" | "disable" | "delete";
  keys: readonly Key[];
}

const NONE: readonly Key[] = [];

interface KeyDialogsProps {
  /** Null when closed. */
  dialog: KeyDialog | null;
  onClose: () => void;
  /** Called after the limits are set or the keys are deleted. */
  onChanged: () => void;
}

export function KeyDialogs({ dialog, onClose, onChanged }: KeyDialogsProps) {
  const keysOf = (kind: KeyDialog["kind"]) => (dialog?.kind === kind ? dialog.keys : NONE);
  const toAssign = keysOf("assign");
  const toLimit = keysOf("limit");
  return (
    <>
      <AssignDialog
        kind="keys"
        subjects={toAssign.map(({ hash, name }) => ({ id: hash, name }))}
        open={toAssign.length > 0}
        onClose={onClose}
      />
      {toLimit.length > 0 && <SetLimitsDialog keys={toLimit} onClose={onClose} onDone={onChanged} />}
      <DisableOwnKey record={keysOf("disable")[0] ?? null} onClose={onClose} />
      <DeleteKeys keys={keysOf("delete")} onClose={onClose} onDeleted={onChanged} />
    </>
  );
}
