import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toFailure } from "@/lib/browser/api-failure";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import type { PresetAddress } from "./preset-queries";
import { RecentUse } from "./recent-use";
import { useUndoableChange } from "./use-undoable-change";
import { VersionDiff } from "./version-diff";

interface DesignateDialogProps {
  preset: PresetWithVersion;
  address: PresetAddress;
  /** Null: closed. */
  version: number | null;
  onClose: () => void;
}

/** Says what changes for requests before another version is used. */
export function DesignateDialog({ preset, address, version, onClose }: DesignateDialogProps) {
  const { change, isPending, error, reset } = useUndoableChange(address);
  const inUse = preset.designated_version.version;
  const close = () => {
    reset();
    onClose();
  };
  const confirm = () => {
    if (version === null) return;
    change(preset, {
      body: { designated_version: version },
      done: `Requests use version ${version} now`,
      back: { designated_version: inUse },
      undone: `Requests use version ${inUse} again`,
      onDone: close,
    });
  };
  return (
    <ConfirmDialog
      open={version !== null}
      onOpenChange={(open) => !open && close()}
      title={version !== null && version < inUse ? `Roll back to version ${version}?` : `Use version ${version ?? ""}?`}
      action={`Use version ${version ?? ""}`}
      onConfirm={confirm}
      isPending={isPending}
      isDestructive={false}
      touches={version !== null && <VersionDiff address={address} before={inUse} after={version} />}
    >
      <RecentUse address={address} version={inUse}>
        Those that name no version get version {version} from now on; version {inUse} stays in the history.
      </RecentUse>
      {error && <FailureAlert failure={toFailure(error)} />}
    </ConfirmDialog>
  );
}
