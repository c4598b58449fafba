import type { ReactElement } from "react";
import { Button, type ButtonProps } from "./button";
import { Checkbox } from "./checkbox";
import { headersHiddenAtFirst, type Column, type DataTableProps } from "./data-table-model";
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
        {choices.map(({ header }) => (
          <Checkbox
            key={header}
            label={header}
            checked={!hidden.includes(header)}
            onChange={(isShown) => onChange(isShown ? hidden.filter((other) => other !== header) : [...hidden, header])}
          />
        ))}
        <Button
          size="sm"
          variant="ghost"
          className="mt-1 justify-self-start"
          onClick={() => onChange(headersHiddenAtFirst(columns))}
        >
          Reset
        </Button>
      </div>
    </Popover>
  );
}
