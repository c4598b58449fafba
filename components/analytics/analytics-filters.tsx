import { useFilterDefinitions } from "@/components/generations/filter-definitions";
import { loadFilterState } from "@/components/generations/generation-list-state";
import { FilterBar } from "@/components/layout/filter-bar";
import { filtersFor, type Narrowed } from "./analytics-state";

const UNFILTERED = loadFilterState(new URLSearchParams());

interface AnalyticsFiltersProps {
  state: Narrowed;
  seesAll: boolean;
  onChange: (change: Partial<Record<keyof Narrowed, string[] | null>>) => void;
}

/** The log's filters by which figures can be narrowed. */
export function AnalyticsFilters({ state, seesAll, onChange }: AnalyticsFiltersProps) {
  const names = filtersFor(seesAll);
  const definitions = useFilterDefinitions({ ...UNFILTERED, ...only(state, names) }, seesAll);
  // Apart from the tables, whose sorting on a phone would fold with the filters.
  return (
    <div>
      <FilterBar
        filters={names.flatMap((name) => definitions.find(({ key }) => key === name) ?? [])}
        values={only(state, names)}
        onChange={(key, value) => onChange({ [key]: value === null ? null : [value].flat() })}
        onClear={() => onChange(Object.fromEntries(names.map((name) => [name, null])))}
      />
    </div>
  );
}

const only = (state: Narrowed, names: readonly (keyof Narrowed)[]): Partial<Narrowed> =>
  Object.fromEntries(names.map((name) => [name, state[name]]));
