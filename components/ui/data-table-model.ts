import { useCallback, useLayoutEffect, useMemo, useRef, type ReactNode } from "react";

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
  part?:
    | { first: number; end: number; above: number; below: number; measure?: (row: HTMLElement | null) => void }
    | undefined;
}

export const headersHiddenAtFirst = (columns: readonly Column<never>[]) =>
  columns.filter(({ isHiddenAtFirst }) => isHiddenAtFirst).map(({ header }) => header);

export type SortDirection = "ascending" | "descending";

/** How `sort` orders by what the server calls `sortKey`, if it does. */
export const directionOf = (sort: string | null, sortKey: string): SortDirection | undefined =>
  sort === sortKey ? "ascending" : sort === `-${sortKey}` ? "descending" : undefined;

/** The order after a press on a header: from low to high, from high to low, then the list's own. */
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

/** Turns `key` around; with an `anchor`, the key that was last turned, all of `selectable` between the two become as `key` does. */
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

/** Whether all of `selectable`, some or none are selected; what was selected elsewhere doesn't count. */
export function selectionOf(selected: ReadonlySet<string>, selectable: readonly string[]): boolean | "indeterminate" {
  const count = selectable.filter((key) => selected.has(key)).length;
  return count === 0 ? false : count === selectable.length || "indeterminate";
}

/** Selects all of `selectable`, or none of it if all are selected. */
export const toggleAll = (selected: ReadonlySet<string>, selectable: readonly string[]): ReadonlySet<string> =>
  changed(selected, selectable, selectionOf(selected, selectable) !== true);

/** What the parts of a table share; `toggle` and `open` stay the same ones, so that rows need not be drawn again for them. */
export interface TableModel<Row> {
  /** The columns that are shown. */
  visible: readonly Column<Row>[];
  canSelect: (row: Row) => boolean;
  toggle: (key: string, isShifted: boolean) => void;
  open: (row: Row) => void;
  selectsAll: { checked: boolean | "indeterminate"; onChange: () => void };
}

/** The order is the server's, selection and visibility are the caller's: a table keeps only what was chosen last. */
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
