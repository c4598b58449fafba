import { useRef, useState } from "react";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";

/** Most rows of a selection. */
export const MOST_SELECTED = 10_000;
const ROWS_AT_ONCE = 100;

interface Page<Row> {
  data: readonly Row[];
  total_count: number;
}

interface SelectableList<Row> {
  /** "keys". */
  subject: string;
  page: Page<Row> | undefined;
  idOf: (row: Row) => string;
  /** Loads a part of the rows that match the list's filters. */
  load: (place: { offset: number; limit: number }) => Promise<Page<Row>>;
}

/** How far a selection reaches, and the way to select all that match. */
export interface Reach {
  total: number;
  /** Number of rows selected so far while all are selected; null otherwise. */
  loaded: number | null;
  selectAll: () => void;
}

/** Selection across a list's pages. */
export function useSelection<Row>({ subject, page, idOf, load }: SelectableList<Row>) {
  const [chosen, setChosen] = useState<readonly Row[]>([]);
  const [loaded, setLoaded] = useState<number | null>(null);
  /** Counts changes of the selection, which end the selecting of all. */
  const change = useRef(0);
  const set = (rows: readonly Row[]) => {
    change.current += 1;
    setLoaded(null);
    setChosen(rows);
  };
  const shown = page?.data ?? [];
  const known = new Map([...chosen, ...shown].map((row) => [idOf(row), row]));
  const total = page?.total_count ?? 0;

  const selectAll = async () => {
    change.current += 1;
    const started = change.current;
    const rows = new Map<string, Row>();
    setLoaded(0);
    try {
      for (let offset = 0, end = 1; offset < end; offset += ROWS_AT_ONCE) {
        const part = await load({ offset, limit: ROWS_AT_ONCE });
        if (change.current !== started) return;
        for (const row of part.data) rows.set(idOf(row), row);
        setLoaded(rows.size);
        end = Math.min(part.total_count, MOST_SELECTED);
      }
      set([...rows.values()].slice(0, MOST_SELECTED));
    } catch (error) {
      if (change.current !== started) return;
      setLoaded(null);
      toast.error(`Couldn't select all ${subject}`, { description: toFailure(error).message });
    }
  };
  const selected: ReadonlySet<string> = new Set(chosen.map(idOf));
  const isPageChosen = shown.length > 0 && shown.every((row) => selected.has(idOf(row)));
  const reach: Reach | null =
    loaded !== null || (isPageChosen && total > chosen.length)
      ? { total, loaded, selectAll: () => void selectAll() }
      : null;
  return {
    selected,
    setSelected: (ids: ReadonlySet<string>) => set([...ids].flatMap((id) => known.get(id) ?? [])),
    /** Selected rows, with the page's current data where available. */
    chosen: chosen.flatMap((row) => known.get(idOf(row)) ?? []),
    clear: () => set([]),
    reach,
  };
}
