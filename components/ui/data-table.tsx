import type { ReactNode } from "react";
import { cn } from "./class-names";
import { Skeleton } from "./skeleton";

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the right. */
  align?: "right";
  /** For controls: the header is for screen readers only, and a card shows no label. */
  isControl?: boolean;
  className?: string;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

const cellStyle = (column: { align?: "right"; className?: string }) =>
  cn("md:px-4 md:py-2.5 md:align-middle", column.align === "right" && "md:text-right", column.className);

/** A table that becomes a list of cards on a phone. Roles are spelled out because the cards' layout would drop them. */
export function DataTable<Row>({ label, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <div className="md:overflow-x-auto md:rounded-lg md:border md:bg-surface">
      <table role="table" aria-label={label} className="block w-full text-sm md:table">
        <Head columns={columns} />
        <tbody role="rowgroup" className="grid gap-3 md:table-row-group">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className="relative grid gap-2 rounded-lg border bg-surface p-4 md:table-row md:border-0 md:border-t md:p-0 md:first:border-t-0 md:hover:bg-subtle/60"
            >
              {columns.map((column, index) => (
                <td key={column.header} role="cell" className={cn(cellStyle(column), column.isControl && "absolute top-2 right-2 md:static md:w-px")}>
                  {index === 0 || column.isControl ? (
                    column.cell(row)
                  ) : (
                    <div className="flex items-baseline justify-between gap-4 md:contents">
                      <span aria-hidden className="shrink-0 text-[13px] text-muted md:hidden">
                        {column.header}
                      </span>
                      <div className="min-w-0 text-right md:contents md:[text-align:inherit]">{column.cell(row)}</div>
                    </div>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head({ columns }: { columns: readonly Pick<Column<never>, "header" | "align" | "isControl" | "className">[] }) {
  return (
    <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
      <tr role="row" className="border-b bg-subtle/50">
        {columns.map((column) => (
          <th
            key={column.header}
            role="columnheader"
            scope="col"
            className={cn("h-9 px-4 text-left text-xs font-medium whitespace-nowrap text-muted", column.align === "right" && "text-right", column.className)}
          >
            <span className={column.isControl ? "sr-only" : undefined}>{column.header}</span>
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The shape of a table while its rows are on the way. */
export function DataTableSkeleton<Row>({ columns, rows = 6 }: { columns: readonly Column<Row>[]; rows?: number }) {
  const placeholders = Array.from({ length: rows }, (_, row) => row);
  return (
    <div aria-hidden className="overflow-hidden rounded-lg border bg-surface">
      <div className="hidden h-9 border-b bg-subtle/50 md:block" />
      {placeholders.map((row) => (
        <div key={row} className="flex items-center gap-6 border-t px-4 py-4 first:border-t-0 md:py-3.5">
          {columns.map((column, index) => (
            <div key={column.header} className={cn("flex-1", index > 1 && "hidden md:block", column.isControl && "flex-none")}>
              <Skeleton className={column.isControl ? "w-6" : index % 2 ? "w-1/2" : "w-3/4"} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
