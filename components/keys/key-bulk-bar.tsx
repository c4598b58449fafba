import { BulkBar } from "@/components/layout/bulk-bar";
import { Button } from "@/components/ui/button";
import type { Key } from "@/lib/records/keys/contract";

interface KeyBulkBarProps {
  keys: readonly Key[];
  isPending: boolean;
  /** Selects all matching keys, if there are more than on this page. */
  selectAll: { total: number; isPending: boolean; run: () => void } | null;
  onAssign: (keys: readonly Key[]) => void;
  onLimit: (keys: readonly Key[]) => void;
  onDisable: (keys: readonly Key[]) => void;
  onDelete: (keys: readonly Key[]) => void;
  onClear: () => void;
}

/** Bulk actions. Management keys can't have guardrails, so assigning skips them. */
export function KeyBulkBar({
  keys,
  isPending,
  selectAll,
  onAssign,
  onLimit,
  onDisable,
  onDelete,
  onClear,
}: KeyBulkBarProps) {
  const assignable = keys.filter(({ kind }) => kind === "inference");
  const enabled = keys.filter(({ disabled }) => !disabled);
  return (
    <BulkBar
      label="Selected keys"
      text={`${keys.length === 1 ? "1 key" : `${keys.length.toLocaleString("en")} keys`} selected`}
      onClear={onClear}
    >
      {selectAll && (
        <Button size="sm" variant="ghost" disabled={selectAll.isPending} onClick={selectAll.run}>
          Select all {selectAll.total.toLocaleString("en")} matching keys
        </Button>
      )}
      <Button size="sm" disabled={assignable.length === 0} onClick={() => onAssign(assignable)}>
        Assign guardrail…
      </Button>
      <Button size="sm" onClick={() => onLimit(keys)}>
        Set limit…
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
