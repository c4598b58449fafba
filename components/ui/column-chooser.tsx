import type { ReactElement } from "react";
import { Button, type ButtonProps } from "./button";
import { Checkbox } from "./checkbox";
import { hiddenAtFirst, type Column, type DataTableProps } from "./data-table-model";
import { Popover } from "./popover";

interface ColumnChooserProps<Row> extends NonNullable<DataTableProps<Row>["chooser"]> {
  columns: readonly Column<Row>[];
  trigger: ReactElement<ButtonProps>;
}

/** Chooses visible columns. The first column and control columns are always visible. */
export function ColumnChooser<Row>({ columns, hidden, onChange, trigger }: ColumnChooserProps<Row>) {
  const choices = columns.slice(1).filter(({ isControl }) => !isControl);
  return (
    <Popover label="Columns" align="end" className="w-56" trigger={trigger}>
      <div className="grid gap-1">
        {choices.map(({ id, header }) => (
          <Checkbox
            key={id}
            label={header}
            checked={!hidden.includes(id)}
            onChange={(isShown) => onChange(isShown ? hidden.filter((other) => other !== id) : [...hidden, id])}
          />
        ))}
        <Button
          size="sm"
          variant="ghost"
          className="mt-1 justify-self-start"
          onClick={() => onChange(hiddenAtFirst(columns))}
        >
          Reset
        </Button>
      </div>
    </Popover>
  );
}
