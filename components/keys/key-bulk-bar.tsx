import { BulkBar } from "@/components/layout/bulk-bar";
import { Button } from "@/components/ui/button";
import type { Key } from "@/lib/keys/contract";

interface KeyBulkBarProps {
  keys: readonly Key[];
  isPending: boolean;
  onAssign: (keys: readonly Key[]) => void;
  onDisable: (keys: readonly Key[]) => void;
  onDelete: (keys: readonly Key[]) => void;
  onClear: () => void;
}

/** Management keys take no guardrail: of the selected keys only the others get one. */
export function KeyBulkBar({ keys, isPending, onAssign, onDisable, onDelete, onClear }: KeyBulkBarProps) {
  const assignable = keys.filter(({ kind }) => kind === "inference");
  const enabled = keys.filter(({ disabled }) => !disabled);
  return (
    <BulkBar label="Selected keys" text={`${keys.length === 1 ? "1 key" : `${keys.length} keys`} selected`} onClear={onClear}>
      <Button size="sm" disabled={assignable.length === 0} onClick={() => onAssign(assignable)}>
        Assign guardrail…
      </Button>
      <Button size="sm" disabled={enabled.length === 0 || isPending} onClick={() => onDisable(enabled)}>
        Disable
      </Button>
      <Button size="sm" variant="danger" onClick={() => onDelete(keys)}>
        Delete…
      </Button>
    </BulkBar>
  );
}
