import { useState } from "react";
import { useForm } from "react-hook-form";
import { MutationForm } from "@/components/form/mutation-form";
import { TextField } from "@/components/form/text-field";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { PRECONDITION_FAILED, toFailure } from "@/lib/browser/api-failure";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import { useUpdatePreset, type PresetAddress } from "./preset-queries";

interface EditPresetProps {
  preset: PresetWithVersion;
  address: PresetAddress;
  onClose: () => void;
}

export function EditPresetDialog(props: EditPresetProps) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && props.onClose()}
      title="Edit preset"
      description="The slug doesn't change, so requests aren't affected."
    >
      <EditForm {...props} />
    </Dialog>
  );
}

interface Details {
  name: string;
  description: string | null;
}

const detailsOf = ({ name, description }: PresetWithVersion): Details => ({ name, description });

/** Saves on the revision shown when the dialog opened. A conflicting change is shown without losing input. */
function EditForm({ preset, address, onClose }: EditPresetProps) {
  const [base, setBase] = useState(preset);
  const change = useUpdatePreset(address);
  const form = useForm<Details>({ defaultValues: detailsOf(preset) });
  const isConflict = change.error !== null && toFailure(change.error).status === PRECONDITION_FAILED;
  const takeTheirs = () => {
    form.reset(detailsOf(preset));
    follow();
  };
  const follow = () => {
    setBase(preset);
    change.reset();
  };
  return (
    <MutationForm
      form={form}
      mutation={change}
      toVariables={(body) => ({ base, body })}
      onSaved={({ data }) => {
        toast.success(`“${data.name}” saved`);
        onClose();
      }}
      action="Save changes"
      isDisabled={isConflict}
      onCancel={onClose}
      failureAlert={
        isConflict && <Conflict base={base} newest={preset} onKeepMine={follow} onTakeTheirs={takeTheirs} />
      }
    >
      <TextField control={form.control} name="name" label="Name" />
      <TextField control={form.control} name="description" label="Description" rows={3} isNullable />
    </MutationForm>
  );
}

interface ConflictProps {
  base: PresetWithVersion;
  newest: PresetWithVersion;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

function Conflict({ base, newest, onKeepMine, onTakeTheirs }: ConflictProps) {
  const isKnown = newest.revision !== base.revision;
  const theirs = [
    newest.name !== base.name && `name “${newest.name}”`,
    newest.description !== base.description && `description “${newest.description ?? ""}”`,
    newest.status !== base.status && `status ${newest.status}`,
    newest.designated_version.version !== base.designated_version.version &&
      `version ${newest.designated_version.version} live`,
  ].filter((change) => change !== false);
  return (
    <Alert
      kind="danger"
      title="This preset changed while you were editing"
      action={
        <>
          <Button size="sm" disabled={!isKnown} onClick={onTakeTheirs}>
            Discard my changes
          </Button>
          <Button size="sm" disabled={!isKnown} onClick={onKeepMine}>
            Overwrite with my changes
          </Button>
        </>
      }
    >
      Your changes haven&apos;t been saved.{" "}
      {isKnown ? theirs.length > 0 && `Current values: ${theirs.join(", ")}.` : "Loading changes…"}
    </Alert>
  );
}
