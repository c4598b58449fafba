import { useState } from "react";
import { SearchedOptions } from "@/components/ui/searched-options";
import type { FilterDefinition, FilterValue } from "./filter-definition";
import { useFoundOptions } from "./found-options";
import { MoreOptions, NoOptions } from "./option-notes";

interface OptionsFilterProps {
  filter: Extract<FilterDefinition, { kind: "options" }>;
  value: FilterValue;
  /** Multiple selection, which keeps the panel open. */
  onToggle: (value: string[] | null) => void;
  /** Single selection, which closes the panel. */
  onDecide: (value: string | null) => void;
}

const MAX_WITHOUT_SEARCH = 8;

/** Options of a filter, with a search if there are many. */
export function OptionsFilter({ filter, value, onToggle, onDecide }: OptionsFilterProps) {
  const { label, options, isMultiple, allowsCustom, find } = filter;
  const [search, setSearch] = useState("");
  const text = search.trim();
  const { matches, shown, isSettled, isFetching } = useFoundOptions(filter, text);
  const chosen = [value ?? []].flat();
  const isCustom = allowsCustom && text !== "" && !matches.some(({ value: known }) => known === text);
  const choose = (option: string) => {
    const isChosen = chosen.includes(option);
    const next = isChosen ? chosen.filter((other) => other !== option) : [...chosen, option];
    if (isMultiple) onToggle(next.length > 0 ? next : null);
    else onDecide(isChosen ? null : option);
  };
  const add = (custom: string) => {
    choose(custom);
    setSearch("");
  };
  return (
    <div className="grid gap-2">
      <SearchedOptions
        label={label}
        search={
          find !== undefined || options.length > MAX_WITHOUT_SEARCH
            ? { label: `Search ${label.toLowerCase()}`, text: search, onChange: setSearch }
            : undefined
        }
        options={shown}
        total={matches.length}
        isSettled={isSettled}
        chosen={chosen}
        isMultiple={isMultiple}
        added={isCustom ? text : null}
        onChoose={choose}
        onAdd={add}
        listClassName="max-h-64 p-0"
        empty={<NoOptions isFetching={isFetching} text={text} />}
      />
      <MoreOptions total={matches.length} shown={shown.length} />
    </div>
  );
}
