import { memo, type KeyboardEvent } from "react";
import { Checkbox } from "./checkbox";
import { cn } from "./class-names";
import type { Column, DataTableProps, RowModel } from "./data-table-model";

interface DataTableRowProps<Row extends object> {
  row: RowModel<Row>;
  index: number;
  measure: ((row: HTMLElement | null) => void) | undefined;
  columns: readonly Column<Row>[];
  selection: DataTableProps<Row>["selection"];
  onOpen: DataTableProps<Row>["onOpen"];
  tabIndex: 0 | -1 | undefined;
  onReach: (id: string) => void;
}

/** On a phone the first cell is the card's title, the others say what they are. */
const hasLabel = <Row,>({ isControl }: Column<Row>, place: number) => place > 0 && !isControl;

const labelStyle = "flex items-baseline justify-between gap-4 before:shrink-0 before:text-[13px] before:text-muted before:content-[attr(data-label)] md:table-cell md:before:content-none";
const controlStyle = "absolute top-2 right-2 z-10 md:relative md:inset-auto md:w-px";

const cellStyle = <Row,>(column: Column<Row>) => cn("md:px-4 md:py-2.5 md:align-middle", column.align === "right" && "md:text-right", column.className);

function Row<Row extends object>({ row, index, measure, columns, selection, onOpen, tabIndex, onReach }: DataTableRowProps<Row>) {
  const isSelected = row.getIsSelected();
  const toggle = (shiftKey: boolean) => row.getToggleSelectedHandler()({ target: { checked: !isSelected }, shiftKey });
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === "Enter" && onOpen) onOpen(row.original);
    else if (event.key === " " && row.getCanSelect()) toggle(event.shiftKey);
    else return;
    event.preventDefault();
  };
  return (
    <tr
      ref={measure}
      data-index={index}
      role="row"
      tabIndex={tabIndex}
      onFocus={() => onReach(row.id)}
      onKeyDown={onKeyDown}
      className={cn(
        "relative grid scroll-mt-24 gap-2 rounded-lg border bg-surface p-4 -outline-offset-2 md:table-row md:rounded-none md:border-0 md:border-t md:p-0 md:first:border-t-0 md:hover:bg-subtle/60",
        isSelected && "border-accent bg-accent-subtle/50 md:border-border md:hover:bg-accent-subtle/70",
        selection && "pl-12",
      )}
    >
      {selection && (
        <td role="cell" className="absolute top-3.5 left-4 md:static md:w-px md:pl-4 md:align-middle">
          <Checkbox
            label={`Select ${selection.nameOf(row.original)}`}
            isLabelHidden
            className="relative z-10"
            checked={isSelected}
            disabled={!row.getCanSelect()}
            onChange={(_, isShifted) => toggle(isShifted)}
          />
        </td>
      )}
      {columns.map((column, place) => (
        <td key={column.header} role="cell" {...(hasLabel(column, place) && { "data-label": column.header })} className={cn(cellStyle(column), place === 0 && "md:min-w-48", hasLabel(column, place) && labelStyle, column.isControl && controlStyle)}>
          {hasLabel(column, place) ? <div className="min-w-0 text-right md:contents">{column.cell(row.original)}</div> : column.cell(row.original)}
        </td>
      ))}
    </tr>
  );
}

const isSameList = (before: readonly unknown[], after: readonly unknown[]) => before.length === after.length && before.every((one, index) => one === after[index]);

/** Of the same record, drawn alike: a table that scrolls or moves its focus makes its rows anew. */
function isSame<Row extends object>(before: DataTableRowProps<Row>, after: DataTableRowProps<Row>): boolean {
  const { row, columns, ...rest } = after;
  return row.original === before.row.original && row.id === before.row.id && isSameList(columns, before.columns) && Object.entries(rest).every(([name, value]) => Object.is(value, Reflect.get(before, name)));
}

export const DataTableRow = memo(Row, isSame) as typeof Row;
