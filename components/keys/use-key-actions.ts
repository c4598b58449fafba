import { useState } from "react";
import { toast } from "@/components/ui/toast";
import { count } from "@/lib/platform/count";
import type { Key } from "@/lib/records/keys/contract";
import { useSetKeysDisabled, type Outcome } from "./key-queries";

/** "“Support bot”", "3 keys". */
export const keyNames = (keys: readonly Pick<Key, "name">[]): string =>
  keys.length === 1 ? `“${keys[0]?.name ?? ""}”` : count(keys.length, "key");

/** Toast naming the keys that failed, with the first key's error. */
export function reportFailed({ failed }: Outcome, verb: string): void {
  const [first] = failed;
  if (first)
    toast.error(`${keyNames(failed.map(({ key }) => key))} couldn't be ${verb}`, {
      description: first.failure.message,
    });
}

/** Disables and enables keys, with undo in the toast. */
export function useKeyActions() {
  const change = useSetKeysDisabled();
  const [progress, setProgress] = useState(0);
  const setDisabled = (keys: readonly Key[], disabled: boolean, isFinal = false): void =>
    change.mutate(
      { keys, disabled, onProgress: setProgress },
      {
        onSuccess: (outcome) => {
          const { done } = outcome;
          const undo = { label: "Undo", onClick: () => setDisabled(done, !disabled, true) };
          if (done.length > 0)
            toast.success(`${keyNames(done)} ${disabled ? "disabled" : "enabled"}`, isFinal ? {} : { action: undo });
          reportFailed(outcome, disabled ? "disabled" : "enabled");
        },
      },
    );
  return { setDisabled, isPending: change.isPending, progress };
}
