import { ArrowDown, ArrowUp, ChevronsUpDown, Columns3 } from "lucide-react";
import { Button } from "./button";
import { Checkbox } from "./checkbox";
import { cn } from "./class-names";
import { ColumnResizer } from "./column-resizer";
import { ColumnChooser } from "./column-chooser";
import type { Column, DataTableProps, TableModel } from "./data-table-model";

interface DataTableHeadProps<Row> extends DataTableProps<Row> {
  table: TableModel<Row>;
  isSticky: boolean;
}

export function DataTableHead<Row>({
  table,
  columns,
  sort,
  chooser,
  selection,
  resize,
  isSticky,
}: DataTableHeadProps<Row>) {
  return (
    <thead role="rowgroup" className={cn("hidden md:table-header-group", isSticky && "md:sticky md:top-13 md:z-20")}>
      <tr role="row">
        {selection && (
          <th role="columnheader" scope="col" className={cn(headStyle, "w-px py-0 pr-0")}>
            <SelectAll {...table.selectsAll} isLabelHidden />
          </th>
        )}
        {table.visible.map((column, index) => {
          const isWithChooser = chooser !== undefined && index === table.visible.length - 1;
          const sorted = table.directionOf(column);
          return (
            <th
              key={column.id}
              role="columnheader"
              scope="col"
              aria-sort={sorted}
              data-column={column.id}
              style={widthOf(resize?.widths[column.id])}
              className={cn(
                headStyle,
                column.align === "right" && "text-right",
                column.className,
                isWithChooser && "pr-10",
                (isWithChooser || resize) && "relative",
              )}
            >
              {sort && column.sortKey !== undefined ? (
                <SortButton column={column} sorted={sorted} onPress={() => table.toggleSort(column)} />
              ) : (
                <span className={column.isControl ? "sr-only" : undefined}>{column.header}</span>
              )}
              {resize && !isWithChooser && (
                <ColumnResizer id={column.id} header={column.header} {...resize} isFirst={index === 0} />
              )}
              {isWithChooser && (
                <ColumnChooser
                  columns={columns}
                  {...chooser}
                  trigger={
                    <Button variant="ghost" size="icon-sm" className="absolute top-1 right-2" aria-label="Columns">
                      <Columns3 aria-hidden />
                    </Button>
                  }
                />
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** A chosen width replaces the limits of the column's own. */
const widthOf = (width: number | undefined) => (width === undefined ? undefined : { width, maxWidth: "none" });

const headStyle =
  "h-9 border-b bg-[color-mix(in_oklab,var(--subtle)_50%,var(--surface))] px-4 text-xs text-left font-medium whitespace-nowrap text-muted md:first:rounded-tl-lg md:last:rounded-tr-lg";

const DIRECTION_ICONS = { ascending: ArrowUp, descending: ArrowDown };

function SortButton<Row>({
  column,
  sorted,
  onPress,
}: {
  column: Column<Row>;
  sorted: "ascending" | "descending" | undefined;
  onPress: () => void;
}) {
  const Icon = sorted ? DIRECTION_ICONS[sorted] : ChevronsUpDown;
  return (
    <button
      type="button"
      onClick={onPress}
      className={cn(
        "-mx-1.5 inline-flex h-7 items-center gap-1 rounded-md px-1.5 hover:bg-subtle hover:text-foreground",
        sorted && "text-foreground",
        column.align === "right" && "flex-row-reverse",
      )}
    >
      {column.header}
      <Icon aria-hidden className={cn("size-3.5", !sorted && "opacity-60")} />
    </button>
  );
}

export const SelectAll = ({
  isLabelHidden = false,
  ...all
}: TableModel<never>["selectsAll"] & { isLabelHidden?: boolean }) => (
  <Checkbox label="Select all on this page" isLabelHidden={isLabelHidden} {...all} />
);
