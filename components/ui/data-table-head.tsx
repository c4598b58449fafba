import { ArrowDown, ArrowUp, ChevronsUpDown, Columns3 } from "lucide-react";
import { Button } from "./button";
import { Checkbox } from "./checkbox";
import { cn } from "./class-names";
import { ColumnChooser } from "./column-chooser";
import type { Column, DataTableProps, HeaderModel, TableModel } from "./data-table-model";

interface DataTableHeadProps<Row extends object> {
  table: TableModel<Row>;
  /** Those that are shown. */
  columns: readonly Column<Row>[];
  all: readonly Column<Row>[];
  chooser: DataTableProps<Row>["chooser"];
  selection: DataTableProps<Row>["selection"];
  isSticky: boolean;
}

const SORTED = { asc: "ascending", desc: "descending" } as const;

export function DataTableHead<Row extends object>({ table, columns, all, chooser, selection, isSticky }: DataTableHeadProps<Row>) {
  const headers = table.getHeaderGroups().flatMap((group) => group.headers);
  return (
    <thead role="rowgroup" className={cn("hidden md:table-header-group", isSticky && "md:sticky md:top-13 md:z-20")}>
      <tr role="row">
        {selection && (
          <th role="columnheader" scope="col" className={cn(headStyle, "w-px py-0 pr-0")}>
            <SelectAll table={table} isLabelHidden />
          </th>
        )}
        {columns.map((column, index) => {
          const isWithChooser = chooser !== undefined && index === columns.length - 1;
          const header = headers.find(({ id }) => id === column.header);
          const sorted = header?.column.getIsSorted();
          return (
            <th
              key={column.header}
              role="columnheader"
              scope="col"
              aria-sort={sorted ? SORTED[sorted] : undefined}
              className={cn(headStyle, column.align === "right" && "text-right", column.className, isWithChooser && "relative pr-10")}
            >
              {column.sortKey !== undefined && header ? <SortButton header={header} column={column} /> : <span className={column.isControl ? "sr-only" : undefined}>{column.header}</span>}
              {isWithChooser && (
                <ColumnChooser
                  columns={all}
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

const headStyle = "h-9 border-b bg-[color-mix(in_oklab,var(--subtle)_50%,var(--surface))] px-4 text-left text-xs font-medium whitespace-nowrap text-muted md:first:rounded-tl-lg md:last:rounded-tr-lg";

function SortButton<Row extends object>({ header, column }: { header: HeaderModel<Row>; column: Column<Row> }) {
  const sorted = header.column.getIsSorted();
  const Icon = sorted === "asc" ? ArrowUp : sorted === "desc" ? ArrowDown : ChevronsUpDown;
  return (
    <button
      type="button"
      onClick={header.column.getToggleSortingHandler()}
      className={cn("-mx-1.5 inline-flex h-7 items-center gap-1 rounded-md px-1.5 hover:bg-subtle hover:text-foreground", sorted && "text-foreground", column.align === "right" && "flex-row-reverse")}
    >
      {column.header}
      <Icon aria-hidden className={cn("size-3.5", !sorted && "opacity-60")} />
    </button>
  );
}

export function SelectAll<Row extends object>({ table, isLabelHidden }: { table: TableModel<Row>; isLabelHidden?: boolean }) {
  const isAll = table.getIsAllRowsSelected();
  return (
    <Checkbox
      label="Select all on this page"
      isLabelHidden={isLabelHidden ?? false}
      checked={isAll ? true : table.getIsSomeRowsSelected() ? "indeterminate" : false}
      onChange={() => table.toggleAllRowsSelected(!isAll)}
    />
  );
}
