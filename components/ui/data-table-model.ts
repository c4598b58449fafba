import {
  columnVisibilityFeature,
  functionalUpdate,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type RowData,
  type SortingState,
} from "@tanstack/react-table";
import { useCallback, useLayoutEffect, useRef, type ReactNode } from "react";
import type { ColumnWidths } from "./use-column-widths";

export interface Column<Row> {
  /** Stored in URLs and browsers for hidden columns and widths, so it stays when the header is reworded. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** "right" for numbers. */
  align?: "right";
  /** Marks a control column: its header is visually hidden, and a card shows it without a label, in the corner or below the rest. */
  isControl?: boolean | "below";
  className?: string;
  /** The API's sort key; makes the header a sort button. */
  sortKey?: string;
  /** Sorts descending at the first press, for columns whose largest values are of interest. */
  isDescendingFirst?: boolean;
  isHiddenAtFirst?: boolean;
}

export interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Sort parameter: "name", "-name" for descending, null for the default. */
  sort?: { value: string | null; onChange: (value: string | null) => void } | undefined;
  selection?:
    | {
        selected: ReadonlySet<string>;
        onChange: (keys: ReadonlySet<string>) => void;
        canSelect?: (row: Row) => boolean;
        nameOf: (row: Row) => string;
      }
    | undefined;
  /** Enables the column chooser. `hidden` contains column IDs. */
  chooser?: { hidden: readonly string[]; onChange: (hidden: string[]) => void } | undefined;
  /** Cards of a phone without labels, whose cells flow; a column that is hidden at first keeps its label and has a line of its own. */
  hasDenseCards?: boolean | undefined;
  /** Lets columns be resized. */
  resize?: { widths: ColumnWidths; onChange: (widths: ColumnWidths) => void } | undefined;
  /** Called on Enter in a row. */
  onOpen?: ((row: Row) => void) | undefined;
  /** Virtualization: renders rows from `first` up to but excluding `end`, with spacer heights and a measuring ref. */
  part?:
    | { first: number; end: number; above: number; below: number; measure?: (row: HTMLElement | null) => void }
    | undefined;
}

export const hiddenAtFirst = (columns: readonly Column<never>[]): string[] =>
  columns.filter(({ isHiddenAtFirst }) => isHiddenAtFirst).map(({ id }) => id);

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature, rowSortingFeature });

/** Converts the server's `sort` to the table's sorting; empty if no column sorts by that field. */
export function toSorting(sort: string | null, columns: readonly Column<never>[]): SortingState {
  const column = sort === null ? undefined : columns.find(({ sortKey }) => sortKey === sort.replace(/^-/, ""));
  return column ? [{ id: column.id, desc: sort?.startsWith("-") ?? false }] : [];
}

/** Converts the table's sorting to the server's `sort`. */
export function fromSorting([first]: SortingState, columns: readonly Column<never>[]): string | null {
  const sortKey = columns.find(({ id }) => id === first?.id)?.sortKey;
  return sortKey === undefined ? null : `${first?.desc ? "-" : ""}${sortKey}`;
}

const DIRECTIONS = { asc: "ascending", desc: "descending" } as const;

export interface TableModel<Row> {
  visible: readonly Column<Row>[];
  rows: readonly { row: Row; id: string; isSelected: boolean; canSelect: boolean }[];
  directionOf: (column: Column<Row>) => "ascending" | "descending" | undefined;
  toggleSort: (column: Column<Row>) => void;
  selectsAll: { checked: boolean | "indeterminate"; onChange: () => void };
  /** `toggle` and `open` are stable, so that memoized rows don't render again. */
  toggle: (id: string, isShifted: boolean) => void;
  open: (row: Row) => void;
}

/** TanStack Table over the caller's state: the server sorts, and the caller keeps the selection and the hidden columns. */
export function useTableModel<Row extends RowData>(props: DataTableProps<Row>): TableModel<Row> {
  const { columns, rows, rowKey, sort, selection, chooser } = props;
  const hidden = chooser?.hidden ?? hiddenAtFirst(columns);
  const sorting = toSorting(sort?.value ?? null, columns);
  const rowSelection = Object.fromEntries([...(selection?.selected ?? [])].map((id) => [id, true as const]));
  const table = useTable({
    features,
    columns: columns.map(({ id, isDescendingFirst = false }) => ({ id, sortDescFirst: isDescendingFirst })),
    data: rows,
    getRowId: rowKey,
    manualSorting: true,
    enableMultiSort: false,
    enableRowSelection: ({ original }) => selection !== undefined && (selection.canSelect?.(original) ?? true),
    state: { sorting, columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])), rowSelection },
    onSortingChange: (change) => sort?.onChange(fromSorting(functionalUpdate(change, sorting), columns)),
    onRowSelectionChange: (change) => selection?.onChange(new Set(Object.keys(functionalUpdate(change, rowSelection)))),
  });
  const latest = useRef({ table, onOpen: props.onOpen });
  useLayoutEffect(() => {
    latest.current = { table, onOpen: props.onOpen };
  });
  const toggle = useCallback((id: string, isShifted: boolean) => {
    const row = latest.current.table.getRow(id);
    row.getToggleSelectedHandler()({ target: { checked: !row.getIsSelected() }, shiftKey: isShifted });
  }, []);
  const open = useCallback((row: Row) => latest.current.onOpen?.(row), []);
  const { first, end } = props.part ?? {};
  return {
    visible: columns.filter(({ id }) => table.getColumn(id)?.getIsVisible()),
    rows: table
      .getRowModel()
      .rows.slice(first, end)
      .map((row) => ({
        row: row.original,
        id: row.id,
        isSelected: row.getIsSelected(),
        canSelect: row.getCanSelect(),
      })),
    directionOf: ({ id }) => {
      const direction = table.getColumn(id)?.getIsSorted();
      return direction ? DIRECTIONS[direction] : undefined;
    },
    toggleSort: ({ id }) => table.getColumn(id)?.toggleSorting(),
    selectsAll: {
      checked: table.getIsAllPageRowsSelected() || (table.getIsSomePageRowsSelected() && "indeterminate"),
      onChange: () => table.toggleAllPageRowsSelected(),
    },
    toggle,
    open,
  };
}
