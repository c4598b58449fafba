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
  /** Null when closed. */
  version: number | null;
  onClose: () => void;
}

/** Confirms making a version live, with a diff and recent usage. */
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
      done: `Version ${version} is now live`,
      back: { designated_version: inUse },
      undone: `Version ${inUse} is live again`,
      onDone: close,
    });
  };
  return (
    <ConfirmDialog
      open={version !== null}
      onOpenChange={(open) => !open && close()}
      title={
        version !== null && version < inUse ? `Roll back to version ${version}?` : `Make version ${version ?? ""} live?`
      }
      action={`Make version ${version ?? ""} live`}
      onConfirm={confirm}
      isPending={isPending}
      isDestructive={false}
      touches={version !== null && <VersionDiff address={address} before={inUse} after={version} />}
    >
      <RecentUse address={address} version={inUse}>
        Requests without a pinned version will use version {version}. Version {inUse} stays in the history.
      </RecentUse>
      {error && <FailureAlert failure={toFailure(error)} />}
    </ConfirmDialog>
  );
}
