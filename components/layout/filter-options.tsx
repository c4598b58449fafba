import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Check, Plus } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { cn } from "@/components/ui/class-names";
import { Input } from "@/components/ui/input";
import { onOptionKeys } from "@/components/ui/option-keys";
import type { FilterDefinition, FilterValue } from "./filter-definition";

interface OptionsFilterProps {
  filter: Extract<FilterDefinition, { kind: "options" }>;
  value: FilterValue;
  /** Multiple selection, which keeps the panel open. */
  onToggle: (value: string[] | null) => void;
  /** Single selection, which closes the panel. */
  onDecide: (value: string | null) => void;
}

const MAX_WITHOUT_SEARCH = 8;
const MAX_SHOWN = 100;

export function OptionsFilter({
  filter: { key, label, options, isMultiple, allowsCustom, find },
  value,
  onToggle,
  onDecide,
}: OptionsFilterProps) {
  const [search, setSearch] = useState("");
  const text = search.trim();
  const q = useDeferredValue(text);
  const found = useQuery({
    queryKey: ["filter-options", key, q],
    queryFn: () => find?.(q) ?? [],
    enabled: find !== undefined,
    placeholderData: keepPreviousData,
  });
  const chosen = [value ?? []].flat();
  const near = options.filter((option) => `${option.label} ${option.value}`.toLowerCase().includes(text.toLowerCase()));
  const far = (found.data ?? []).filter((option) => !options.some((known) => known.value === option.value));
  const fitting = [...near, ...far];
  const shown = fitting.slice(0, MAX_SHOWN);
  const isSearched = find === undefined || (q === text && found.data !== undefined && !found.isPlaceholderData);
  const isCustom = allowsCustom && text !== "" && !fitting.some(({ value: known }) => known === text);
  const addCustom = () => {
    if (isMultiple) toggle(text, true);
    else onDecide(text);
    setSearch("");
  };
  const toggle = (option: string, isChosen: boolean) => {
    const next = isChosen ? [...chosen, option] : chosen.filter((other) => other !== option);
    onToggle(next.length > 0 ? next : null);
  };
  return (
    <div className="grid gap-2" onKeyDown={(event) => onOptionKeys(event, isSearched && text !== "")}>
      {(find !== undefined || options.length > MAX_WITHOUT_SEARCH) && (
        <Input
          type="search"
          aria-label={`Search ${label.toLowerCase()}`}
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <p role="status" className="sr-only">
        {isSearched && text !== "" && (fitting.length === 1 ? "1 result" : `${fitting.length} results`)}
      </p>
      <div role="group" aria-label={label} className="grid max-h-64 gap-0.5 overflow-y-auto">
        {shown.map((option) =>
          isMultiple ? (
            <Checkbox
              key={option.value}
              label={<span className="wrap-anywhere">{option.label}</span>}
              className="px-1 py-0.5"
              checked={chosen.includes(option.value)}
              onChange={(isChosen) => toggle(option.value, isChosen)}
            />
          ) : (
            <Button
              key={option.value}
              size="sm"
              variant="ghost"
              aria-pressed={chosen.includes(option.value)}
              className="h-auto min-h-7 justify-start px-1.5 py-1 text-left font-normal wrap-anywhere whitespace-normal"
              onClick={() => onDecide(chosen.includes(option.value) ? null : option.value)}
            >
              <Check aria-hidden className={cn(!chosen.includes(option.value) && "invisible")} />
              {option.label}
            </Button>
          ),
        )}
        {isCustom && (
          <Button
            size="sm"
            variant="ghost"
            className="h-auto min-h-7 justify-start px-1.5 py-1 text-left font-normal wrap-anywhere whitespace-normal"
            onClick={addCustom}
          >
            <Plus aria-hidden /> Add “{text}” as custom value
          </Button>
        )}
        {fitting.length === 0 && !isCustom && (
          <p className="py-2 text-center text-muted">
            {found.isFetching ? "Searching…" : q === "" ? "No options yet" : "No results"}
          </p>
        )}
        {fitting.length > MAX_SHOWN && (
          <p className="py-1 text-xs text-muted">{fitting.length - MAX_SHOWN} more: search to narrow</p>
        )}
      </div>
    </div>
  );
}
