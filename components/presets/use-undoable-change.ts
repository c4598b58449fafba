import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { PresetWithVersion, UpdatePresetBody } from "@/lib/presets/contract";
import type { z } from "zod";
import { useUpdatePreset, type PresetAddress } from "./preset-queries";

type Body = z.input<typeof UpdatePresetBody>;

interface UndoableChange {
  body: Body;
  /** What the toast says. */
  done: string;
  /** The change that takes it back, and what the toast says then. */
  back: Body;
  undone: string;
  onDone?: () => void;
}

const PRECONDITION_FAILED = 412;

/** Changes a preset and offers to take it back; an undo never overwrites what somebody changed since. */
export function useUndoableChange(address: PresetAddress) {
  const { mutate, mutateAsync, isPending, error, reset } = useUpdatePreset(address);
  const undo = async (base: PresetWithVersion, back: Body, undone: string) => {
    try {
      await mutateAsync({ base, body: back });
      toast.success(undone);
    } catch (reason) {
      const { status, message } = toFailure(reason);
      toast.error("Nothing was undone", { description: status === PRECONDITION_FAILED ? "Somebody changed the preset since." : message });
    }
  };
  const change = (base: Pick<PresetWithVersion, "revision">, { body, done, back, undone, onDone }: UndoableChange) =>
    mutate(
      { base, body },
      {
        onSuccess: ({ data }) => {
          toast.success(done, { action: { label: "Undo", onClick: () => void undo(data, back, undone) } });
          onDone?.();
        },
      },
    );
  return { change, isPending, error, reset };
}
