"use client";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { Popover } from "@/components/ui/popover";
import { describeFilter, isSet, type FilterDefinition, type FilterValue } from "./filter-definition";
import { AmountFilter, TextFilter } from "./filter-inputs";
import { OptionsFilter } from "./filter-options";

interface FilterChipProps {
  filter: FilterDefinition;
  value: FilterValue;
  onChange: (value: string[] | string | null) => void;
}

/** One filter: a button that shows its value and opens its options, and a button to clear it. */
export function FilterChip({ filter, value, onChange }: FilterChipProps) {
  const [isOpen, setOpen] = useState(false);
  const isActive = isSet(value);
  const decide = (next: string[] | string | null) => {
    onChange(next);
    setOpen(false);
  };
  return (
    <span className="inline-flex max-w-full">
      <Popover
        label={filter.label}
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button
            size="sm"
            className={cn(
              "relative min-w-0 shrink focus-visible:z-10",
              isActive
                ? "rounded-r-none border-accent/50 bg-accent-subtle hover:bg-accent-subtle"
                : "border-dashed border-border-strong/70 text-muted shadow-none",
            )}
          >
            {!isActive && <Plus aria-hidden className="size-3.5!" />}
            <span className="truncate">
              {filter.label}
              {isActive && <span className="font-normal">: {describeFilter(filter, value)}</span>}
            </span>
          </Button>
        }
      >
        <FilterPanel filter={filter} value={value} onChange={onChange} onDecide={decide} />
      </Popover>
      {isActive && (
        <Button
          size="sm"
          className="-ml-px rounded-l-none border-accent/50 bg-accent-subtle px-1.5 hover:bg-accent-subtle"
          aria-label={`Clear ${filter.label}`}
          onClick={() => onChange(null)}
        >
          <X aria-hidden className="size-3.5!" />
        </Button>
      )}
    </span>
  );
}

interface FilterPanelProps {
  filter: FilterDefinition;
  value: FilterValue;
  onChange: (value: string[] | string | null) => void;
  /** Called when the filter is set and the panel should close. */
  onDecide: (value: string[] | string | null) => void;
}

/** Options or inputs of a filter. */
function FilterPanel({ filter, value, onChange, onDecide }: FilterPanelProps) {
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
