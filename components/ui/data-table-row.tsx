import { memo, type KeyboardEvent } from "react";
import { Checkbox } from "./checkbox";
import { cn } from "./class-names";
import type { Column } from "./data-table-model";

interface DataTableRowProps<Row> {
  row: Row;
  /** Key passed to `toggle`. */
  id: string;
  index: number;
  measure: ((row: HTMLElement | null) => void) | undefined;
  columns: readonly Column<Row>[];
  /** Selection state; undefined in a table without selection. */
  name: string | undefined;
  isSelected: boolean;
  canSelect: boolean;
  toggle: (id: string, isShifted: boolean) => void;
  open: ((row: Row) => void) | undefined;
  isDense: boolean;
  tabIndex: 0 | -1 | undefined;
  onReach: (id: string) => void;
}

/** On a phone, the first cell is the card's title and the others have labels. */
const hasLabel = <Row,>({ isControl }: Column<Row>, place: number) => place > 0 && !isControl;

const labelStyle =
  "flex items-baseline justify-between gap-4 before:shrink-0 before:text-[13px] before:text-muted before:content-[attr(data-label)] md:table-cell md:before:content-none";
const denseStyle = "min-w-0 before:sr-only before:content-[attr(data-label)] md:before:content-none";
const controlStyle = {
  corner: "absolute top-2 right-2 z-10 md:relative md:inset-auto md:w-px",
  below: "relative z-10 md:w-px",
};

/** Keeps a long word from pushing other columns out of view. */
const cellStyle = <Row,>(column: Column<Row>) =>
  cn(
    "break-words md:px-4 md:py-2.5 md:align-middle",
    !column.isControl && "md:max-w-80",
    column.align === "right" && "md:text-right",
    column.className,
  );

function Row<Row>({
  row,
  id,
  index,
  measure,
  columns,
  name,
  isSelected,
  canSelect,
  toggle,
  open,
  isDense,
  tabIndex,
  onReach,
}: DataTableRowProps<Row>) {
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === "Enter" && open) open(row);
    else if (event.key === " " && canSelect) toggle(id, event.shiftKey);
    else return;
    event.preventDefault();
  };
  return (
    <tr
      ref={measure}
      data-index={index}
      role="row"
      tabIndex={tabIndex}
      onFocus={() => onReach(id)}
      onKeyDown={onKeyDown}
      className={cn(
        "relative grid scroll-mt-24 gap-2 rounded-lg border bg-surface p-4 -outline-offset-2 md:table-row md:rounded-none md:border-0 md:p-0 md:hover:bg-subtle/60",
        index > 0 && "md:border-t",
        // Only the table's own background has rounded corners.
        !isSelected && "md:bg-transparent",
        isSelected && "border-accent bg-accent-subtle/50 md:border-border md:hover:bg-accent-subtle/70",
        name !== undefined && "pl-12",
        isDense &&
          "max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-2 max-md:gap-y-1 max-md:px-3 max-md:py-2",
      )}
    >
      {name !== undefined && (
        <td role="cell" className="absolute top-3.5 left-4 md:static md:w-px md:pl-4 md:align-middle">
          <Checkbox
            label={`Select ${name}`}
            isLabelHidden
            className="relative z-10"
            checked={isSelected}
            disabled={!canSelect}
            onChange={(_, isShifted) => toggle(id, isShifted)}
          />
        </td>
      )}
      {columns.map((column, place) => (
        <td
          key={column.id}
          role="cell"
          {...(hasLabel(column, place) && { "data-label": column.header })}
          className={cn(
            hasLabel(column, place) && (isDense && !column.isHiddenAtFirst ? denseStyle : labelStyle),
            isDense && column.isHiddenAtFirst && "max-md:order-last max-md:w-full",
            place === 0 && "md:min-w-48",
            cellStyle(column),
            column.isControl && controlStyle[column.isControl === "below" ? "below" : "corner"],
          )}
        >
          {hasLabel(column, place) ? (
            <div className={cn("min-w-0 md:contents", !isDense && "max-md:text-right")}>{column.cell(row)}</div>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

const isSameList = (before: readonly unknown[], after: readonly unknown[]) =>
  before.length === after.length && before.every((one, index) => one === after[index]);

/** Compares columns by content, because callers recreate their arrays. */
function isSame<Row>(before: DataTableRowProps<Row>, after: DataTableRowProps<Row>): boolean {
  const { columns, ...rest } = after;
  return (
    isSameList(columns, before.columns) &&
    Object.entries(rest).every(([name, value]) => Object.is(value, Reflect.get(before, name)))
  );
}

export const DataTableRow = memo(Row, isSame) as typeof Row;
