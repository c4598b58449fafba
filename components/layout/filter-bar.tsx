"use client";
import { ListFilter } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { SearchInput } from "@/components/ui/search-input";
import { FilterChip } from "./filter-chip";
import { isSet, type FilterDefinition, type FilterValue } from "./filter-definition";

export type { FilterDefinition } from "./filter-definition";

interface FilterBarProps {
  search?: { label: string; value: string | null; onChange: (value: string | null) => void };
  /** A control before the filters, such as the time range. */
  lead?: ReactNode;
  filters: readonly FilterDefinition[];
  values: Readonly<Record<string, FilterValue>>;
  onChange: (key: string, value: string[] | string | null) => void;
  /** Clears the search and every filter. */
  onClear: () => void;
  /** Actions on the whole list, shown at the right. */
  actions?: ReactNode;
}

/** With more filters than this, inactive ones are collapsed behind a button, and all have a row of their own. */
const MAX_IDLE = 5;

/**
 * Search and filters of a list. On a phone, they fold into one row, together with `folds-away:` of globals.css. The caller
 * keeps their values in the URL.
 */
export function FilterBar({ search, lead, filters, values, onChange, onClear, actions }: FilterBarProps) {
  const [isExpanded, setExpanded] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const valueOf = ({ key }: FilterDefinition) => values[key] ?? null;
  const isActive = (filter: FilterDefinition) => isSet(valueOf(filter));
  const hasMore = filters.length > MAX_IDLE + 1;
  const shown = filters.filter((filter, index) => isExpanded || !hasMore || index < MAX_IDLE || isActive(filter));
  const active = filters.filter(isActive).length;
  const isNarrowed = isSet(search?.value ?? null) || active > 0;
  const isFolded = !isOpen && "max-sm:hidden";
  const hasFilters = filters.length > 0 || Boolean(actions ?? lead);
  const chips = (
    <div
      className={cn(
        "flex min-w-full flex-1 flex-wrap items-center gap-1.5",
        !hasMore && "sm:min-h-8 sm:min-w-0",
        isFolded,
      )}
    >
      {shown.map((filter) => (
        <FilterChip
          key={filter.key}
          filter={filter}
          value={valueOf(filter)}
          onChange={(value) => onChange(filter.key, value)}
        />
      ))}
      {hasMore && (
        <Button size="sm" variant="ghost" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
          <ListFilter aria-hidden />
          <span>
            {isExpanded ? "Fewer" : "More"}
            <span className="sr-only"> filters</span>
          </span>
        </Button>
      )}
      {isNarrowed && (
        <Button size="sm" variant="ghost" className="text-muted" onClick={onClear}>
          Clear all
        </Button>
      )}
    </div>
  );
  return (
    <div role="search" data-folds={isOpen ? "open" : "closed"} className="mb-3 flex flex-wrap items-start gap-2">
      <div className={cn("flex gap-2 sm:contents", search && "w-full")}>
        {search && <SearchInput {...search} className="min-w-0 flex-1 sm:w-56 sm:flex-none" />}
        <Button className="sm:hidden" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <ListFilter aria-hidden /> {!hasFilters ? "Sort" : active > 0 ? `Filters · ${active}` : "Filters"}
        </Button>
      </div>
      {lead && <div className={cn(isFolded)}>{lead}</div>}
      {!hasMore && chips}
      {actions && <div className={cn("flex flex-wrap items-center gap-2 sm:ml-auto", isFolded)}>{actions}</div>}
      {hasMore && chips}
    </div>
  );
}
