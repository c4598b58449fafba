import { Plus, Trash2 } from "lucide-react";
import { useRef, type ReactNode, type Ref } from "react";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";

interface RowListProps<Row extends { id: string }> {
  rows: readonly Row[];
  /** Noun for one row: "check". */
  noun: string;
  /** Plural noun for the list: "external checks". */
  plural: string;
  max: number;
  onAdd: () => void;
  /** Removes a row and returns a function that restores it. */
  onRemove: (index: number) => () => void;
  children: (row: Row, index: number, remove: () => void) => ReactNode;
  ref?: Ref<HTMLOListElement>;
}

/** Rows of a form that can be added and removed; removing one can be undone. */
export function RowList<Row extends { id: string }>({
  rows,
  noun,
  plural,
  max,
  onAdd,
  onRemove,
  children,
  ref,
}: RowListProps<Row>) {
  const addButton = useRef<HTMLButtonElement>(null);
  const removeAt = (index: number) => {
    const restore = onRemove(index);
    addButton.current?.focus();
    const name = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${index + 1}`;
    toast.success(`${name} removed`, { action: { label: "Undo", onClick: restore } });
  };
  return (
    <div className="grid gap-3">
      {rows.length > 0 && (
        <ol ref={ref} className="grid gap-3">
          {rows.map((row, index) => (
            <RowItem key={row.id} onRemove={() => removeAt(index)}>
              {(remove) => children(row, index, remove)}
            </RowItem>
          ))}
        </ol>
      )}
      <Button ref={addButton} className="justify-self-start" disabled={rows.length >= max} onClick={onAdd}>
        <Plus aria-hidden /> Add {noun}
      </Button>
      {rows.length >= max && (
        <p className="text-[13px] text-muted">
          Limit reached: a guardrail can have {max} {plural}.
        </p>
      )}
    </div>
  );
}

interface RowItemProps {
  onRemove: () => void;
  children: (remove: () => void) => ReactNode;
}

const RowItem = ({ onRemove, children }: RowItemProps) => (
  <li className="rounded-md border bg-background p-3">{children(onRemove)}</li>
);

interface RowHeadProps {
  removeLabel: string;
  onRemove: () => void;
  /** Two fields. */
  children: ReactNode;
}

/** First line of a row: two fields and the remove button. On a phone, the second field is below the first. */
export const RowHead = ({ removeLabel, onRemove, children }: RowHeadProps) => (
  <div className="grid grid-cols-[1fr_auto] items-start gap-3 max-sm:*:nth-2:col-span-2 sm:grid-cols-[1fr_2fr_auto]">
    {children}
    <Button
      variant="ghost"
      size="icon"
      className="mt-6.5 text-muted max-sm:col-start-2 max-sm:row-start-1"
      aria-label={removeLabel}
      onClick={onRemove}
    >
      <Trash2 aria-hidden />
    </Button>
  </div>
);
