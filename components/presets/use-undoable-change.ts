import type { PresetWithVersion, UpdatePresetBody } from "@/lib/records/presets/contract";
import type { z } from "zod";
import { offerUndo } from "./offer-undo";
import { useUpdatePreset, type PresetAddress } from "./preset-queries";

type Body = z.input<typeof UpdatePresetBody>;

interface UndoableChange {
  body: Body;
  /** Text of the toast. */
  done: string;
  /** The reverse change, and the toast after undoing. */
  back: Body;
  undone: string;
  onDone?: () => void;
}

/** Updates a preset with undo. The undo never overwrites later changes. */
export function useUndoableChange(address: PresetAddress) {
  const { mutate, mutateAsync, isPending, error, reset } = useUpdatePreset(address);
  const change = (base: Pick<PresetWithVersion, "revision">, { body, done, back, undone, onDone }: UndoableChange) =>
    mutate(
      { base, body },
      {
        onSuccess: ({ data }) => {
          offerUndo(done, undone, () => mutateAsync({ base: data, body: back }));
          onDone?.();
        },
      },
    );
  return { change, isPending, error, reset };
}
