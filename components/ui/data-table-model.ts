import {
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type Header,
  type ReactTable,
  type RowSelectionState,
  type Row as TableRow,
} from "@tanstack/react-table";
import { useMemo, useState, type ReactNode } from "react";

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the right. */
  align?: "right";
  /** For controls: the header is for screen readers only, and a card shows no label. */
  isControl?: boolean;
  className?: string;
  /** The server's name of this order: the header becomes a button. */
  sortKey?: string;
  isHiddenAtFirst?: boolean;
}

export interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The server's order: "name", "-name" from high to low, null for its own. */
  sort?: { value: string | null; onChange: (value: string | null) => void } | undefined;
  selection?:
    | {
        selected: ReadonlySet<string>;
        onChange: (keys: ReadonlySet<string>) => void;
        canSelect?: (row: Row) => boolean;
        nameOf: (row: Row) => string;
      }
    | undefined;
  /** Lets people choose columns; `hidden` names them by their headers. */
  chooser?: { hidden: readonly string[]; onChange: (hidden: string[]) => void } | undefined;
  /** Enter on a row. */
  onOpen?: ((row: Row) => void) | undefined;
  /** Of `rows` only those from `first` to before `end` are drawn: how high the others above and below are, and who measures the ones here. */
  part?: { first: number; end: number; above: number; below: number; measure: (row: HTMLElement | null) => void } | undefined;
}

const features = tableFeatures({ rowSortingFeature, rowSelectionFeature, columnVisibilityFeature });

export type TableModel<Row extends object> = ReactTable<typeof features, Row>;
export type RowModel<Row extends object> = TableRow<typeof features, Row>;
export type HeaderModel<Row extends object> = Header<typeof features, Row>;

const isShifted = (event: unknown) => (event as { shiftKey: boolean }).shiftKey;

const toSort = (columns: readonly Column<never>[], value: string | null) => {
  const found = columns.find(({ sortKey }) => sortKey !== undefined && (value === sortKey || value === `-${sortKey}`));
  return found ? [{ id: found.header, desc: value?.startsWith("-") ?? false }] : [];
};

export const headersHiddenAtFirst = (columns: readonly Column<never>[]) => columns.filter(({ isHiddenAtFirst }) => isHiddenAtFirst).map(({ header }) => header);

/** The table's state machine: its order is the server's, selection and visibility are the caller's. */
export function useTableModel<Row extends object>({ columns, rows, rowKey, sort, selection, chooser }: DataTableProps<Row>): TableModel<Row> {
  const [hiddenAtFirst] = useState(() => headersHiddenAtFirst(columns));
  const definitions = useMemo(
    () => columns.map(({ header, sortKey }): ColumnDef<typeof features, Row> => ({ id: header, accessorFn: (row) => row, enableSorting: sortKey !== undefined, sortDescFirst: false })),
    [columns],
  );
  const sorting = useMemo(() => toSort(columns, sort?.value ?? null), [columns, sort?.value]);
  const rowSelection = useMemo(() => Object.fromEntries(Array.from(selection?.selected ?? [], (key) => [key, true as const])) satisfies RowSelectionState, [selection?.selected]);
  const hidden = chooser?.hidden ?? hiddenAtFirst;
  const columnVisibility = useMemo(() => Object.fromEntries(hidden.map((header) => [header, false])), [hidden]);
  return useTable({
    features,
    data: rows,
    columns: definitions,
    getRowId: rowKey,
    manualSorting: true,
    enableMultiSort: false,
    enableRowSelection: (row) => selection !== undefined && (selection.canSelect?.(row.original) ?? true),
    isRowRangeSelectionEvent: isShifted,
    state: { sorting, rowSelection, columnVisibility },
    onSortingChange: (change) => {
      const next = (typeof change === "function" ? change(sorting) : change)[0];
      const sortKey = columns.find(({ header }) => header === next?.id)?.sortKey;
      sort?.onChange(next && sortKey ? `${next.desc ? "-" : ""}${sortKey}` : null);
    },
    onRowSelectionChange: (change) => selection?.onChange(new Set(Object.keys(typeof change === "function" ? change(rowSelection) : change))),
  });
}
