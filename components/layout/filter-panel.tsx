import { AmountFilter, TextFilter } from "./filter-inputs";
import type { FilterDefinition, FilterValue } from "./filter-definition";
import { OptionsFilter } from "./filter-options";

interface FilterPanelProps {
  filter: FilterDefinition;
  value: FilterValue;
  onChange: (value: string[] | string | null) => void;
  /** Called when the filter is set and the panel should close. */
  onDecide: (value: string[] | string | null) => void;
}

/** Options or inputs of a filter. */
export function FilterPanel({ filter, value, onChange, onDecide }: FilterPanelProps) {
  const [text = ""] = [value ?? []].flat();
  switch (filter.kind) {
    case "options":
      return <OptionsFilter filter={filter} value={value} onToggle={onChange} onDecide={onDecide} />;
    case "text":
      return <TextFilter label={filter.label} value={text} onDecide={onDecide} />;
    case "amount":
      return <AmountFilter label={filter.label} value={text} onDecide={onDecide} />;
  }
}
