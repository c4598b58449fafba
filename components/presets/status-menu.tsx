import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Menu, MenuRadioGroup, MenuRadioItem } from "@/components/ui/menu";
import { toFailure } from "@/lib/browser/api-failure";
import type { Preset } from "@/lib/records/presets/contract";
import type { PresetAddress } from "./preset-queries";
import { PresetStatus } from "./preset-status";
import { RecentUse } from "./recent-use";
import { useUndoableChange } from "./use-undoable-change";

type Status = Preset["status"];

const QUESTIONS = {
  active: { title: "Activate", action: "Activate preset", effect: "Requests can use the preset again." },
  disabled: {
    title: "Disable",
    action: "Disable preset",
    effect: "Requests with this preset return 404 until it is activated again.",
  },
  archived: {
    title: "Archive",
    action: "Archive preset",
    effect: "Requests with this preset return 404. The history is kept, and it can be activated again.",
  },
} as const satisfies Record<Status, object>;
const STATUSES = ["active", "disabled", "archived"] as const satisfies readonly Status[];

interface StatusMenuProps {
  preset: Preset;
  address: PresetAddress;
}

export function StatusMenu({ preset, address }: StatusMenuProps) {
  const [newStatus, setNewStatus] = useState<Status | null>(null);
  const choose = (value: string) =>
    setNewStatus(STATUSES.find((status) => status === value && status !== preset.status) ?? null);
  return (
    <>
      <Menu
        trigger={
          <Button>
            Status <ChevronDown aria-hidden />
          </Button>
        }
      >
        <MenuRadioGroup value={preset.status} onValueChange={choose}>
          {STATUSES.map((status) => (
            <MenuRadioItem key={status} value={status}>
              <PresetStatus status={status} />
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
      </Menu>
      {newStatus && (
        <StatusDialog preset={preset} address={address} status={newStatus} onClose={() => setNewStatus(null)} />
      )}
    </>
  );
}

function StatusDialog({ preset, address, status, onClose }: StatusMenuProps & { status: Status; onClose: () => void }) {
  const { change, isPending, error } = useUndoableChange(address);
  const { title, action, effect } = QUESTIONS[status];
  const confirm = () =>
    change(preset, {
      body: { status },
      done: `“${preset.name}” is now ${status}`,
      back: { status: preset.status },
      undone: `“${preset.name}” is ${preset.status} again`,
      onDone: onClose,
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`${title} “${preset.name}”?`}
      action={action}
      onConfirm={confirm}
      isPending={isPending}
      isDestructive={status !== "active"}
    >
      <RecentUse address={address}>{effect}</RecentUse>
      {error && <FailureAlert failure={toFailure(error)} />}
    </ConfirmDialog>
  );
}
