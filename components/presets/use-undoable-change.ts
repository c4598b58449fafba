import type { PresetWithVersion, UpdatePresetBody } from "@/lib/records/presets/contract";
import type { z } from "zod";
import { offerUndo } from "./offer-undo";
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

/** Changes a preset and offers to take it back; an undo never overwrites what somebody changed since. */
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
