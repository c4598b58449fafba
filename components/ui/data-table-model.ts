import { useCallback, useLayoutEffect, useMemo, useRef, type ReactNode } from "react";

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** "right" for numbers. */
  align?: "right";
  /** For control columns: visually hidden header and no label on cards. */
  isControl?: boolean;
  className?: string;
  /** The API's sort key; makes the header a sort button. */
  sortKey?: string;
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
  /** Enables the column chooser. `hidden` contains headers. */
  chooser?: { hidden: readonly string[]; onChange: (hidden: string[]) => void } | undefined;
  /** Called on Enter in a row. */
  onOpen?: ((row: Row) => void) | undefined;
  /** Virtualization: renders rows from `first` up to but excluding `end`, with spacer heights and a measuring ref. */
  part?:
    | { first: number; end: number; above: number; below: number; measure?: (row: HTMLElement | null) => void }
    | undefined;
}

export const headersHiddenAtFirst = (columns: readonly Column<never>[]) =>
  columns.filter(({ isHiddenAtFirst }) => isHiddenAtFirst).map(({ header }) => header);

export type SortDirection = "ascending" | "descending";

/** Direction in which `sort` orders by `sortKey`, if it does. */
export const directionOf = (sort: string | null, sortKey: string): SortDirection | undefined =>
  sort === sortKey ? "ascending" : sort === `-${sortKey}` ? "descending" : undefined;

/** Next sort on pressing a header: ascending, descending, then the default. */
export const nextSort = (sort: string | null, sortKey: string): string | null =>
  ({ ascending: `-${sortKey}`, descending: null, none: sortKey })[directionOf(sort, sortKey) ?? "none"];

const changed = (selected: ReadonlySet<string>, keys: readonly string[], isChosen: boolean): ReadonlySet<string> => {
  const next = new Set(selected);
  for (const key of keys) {
    if (isChosen) next.add(key);
    else next.delete(key);
  }
  return next;
};

/** Toggles `key`. With an `anchor` (the last toggled key), all of `selectable` in between get the same state. */
export function toggleKey(
  selected: ReadonlySet<string>,
  selectable: readonly string[],
  key: string,
  anchor: string | null,
): ReadonlySet<string> {
  const from = anchor === null ? -1 : selectable.indexOf(anchor);
  const to = selectable.indexOf(key);
  const keys = from < 0 || to < 0 ? [key] : selectable.slice(Math.min(from, to), Math.max(from, to) + 1);
  return changed(selected, keys, !selected.has(key));
}

/** True, false or "indeterminate" for the selection of `selectable`, ignoring other keys. */
export function selectionOf(selected: ReadonlySet<string>, selectable: readonly string[]): boolean | "indeterminate" {
  const count = selectable.filter((key) => selected.has(key)).length;
  return count === 0 ? false : count === selectable.length || "indeterminate";
}

/** Selects all of `selectable`, or deselects them if all are selected. */
export const toggleAll = (selected: ReadonlySet<string>, selectable: readonly string[]): ReadonlySet<string> =>
  changed(selected, selectable, selectionOf(selected, selectable) !== true);

/** State shared by the parts of a table. `toggle` and `open` are stable, so that rows don't re-render. */
export interface TableModel<Row> {
  /** Visible columns. */
  visible: readonly Column<Row>[];
  canSelect: (row: Row) => boolean;
  toggle: (key: string, isShifted: boolean) => void;
  open: (row: Row) => void;
  selectsAll: { checked: boolean | "indeterminate"; onChange: () => void };
}

/**
 * Table state. Sorting happens on the server, selection and visibility belong to the caller; only the anchor is
 * local.
 */
export function useTableModel<Row>(props: DataTableProps<Row>): TableModel<Row> {
  const { columns, rows, rowKey, selection, chooser } = props;
  const hidden = chooser?.hidden;
  const visible = useMemo(
    () => columns.filter(({ header, isHiddenAtFirst }) => !(hidden ? hidden.includes(header) : isHiddenAtFirst)),
    [columns, hidden],
  );
  const canSelect = (row: Row) => selection !== undefined && (selection.canSelect?.(row) ?? true);
  const selectable = selection ? rows.filter(canSelect).map(rowKey) : [];
  const selected = selection?.selected ?? new Set<string>();
  const latest = useRef({ selection, selectable, onOpen: props.onOpen });
  useLayoutEffect(() => {
    latest.current = { selection, selectable, onOpen: props.onOpen };
  });
  const anchor = useRef<string | null>(null);
  const toggle = useCallback((key: string, isShifted: boolean) => {
    const { selection: current, selectable: keys } = latest.current;
    current?.onChange(toggleKey(current.selected, keys, key, isShifted ? anchor.current : null));
    anchor.current = key;
  }, []);
  const open = useCallback((row: Row) => latest.current.onOpen?.(row), []);
  return {
    visible,
    canSelect,
    toggle,
    open,
    selectsAll: {
      checked: selectionOf(selected, selectable),
      onChange: () => selection?.onChange(toggleAll(selected, selectable)),
    },
  };
}
