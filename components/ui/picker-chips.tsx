import { CircleHelp, X } from "lucide-react";
import { cn } from "./class-names";
import type { PickerOption } from "./picker-matches";

interface PickerChipsProps {
  value: readonly string[];
  options: readonly PickerOption[];
  invalid: readonly number[];
  onRemove: (entry: string) => void;
}

/** Selected values. Unknown ones are marked. */
export function PickerChips({ value, options, invalid, onRemove }: PickerChipsProps) {
  if (value.length === 0) return null;
  const known = new Map(options.map((option) => [option.value, option]));
  return (
    <ul className="contents">
      {value.map((entry, index) => {
        const isUnknown = options.length > 0 && !known.has(entry);
        const label = known.get(entry)?.label;
        return (
          <li
            key={entry}
            title={isUnknown ? `${entry} is not in the catalogue` : entry}
            className={cn(
              "inline-flex max-w-[calc(100%-1.75rem)] items-center rounded-sm border text-[13px] border-transparent bg-subtle",
              isUnknown && "border-dashed",
              invalid.includes(index)
                ? "border-danger bg-danger-subtle text-danger"
                : isUnknown && "border-warning bg-warning-subtle text-warning",
            )}
          >
            {isUnknown && <CircleHelp aria-hidden className="ml-1.5 size-3.5 shrink-0" />}
            <span className={cn("truncate py-0.5 pl-1.5", label === undefined && "font-mono")}>{label ?? entry}</span>
            {isUnknown && <span className="sr-only"> (not in the catalogue)</span>}
            <button
              type="button"
              aria-label={`Remove ${label ?? entry}`}
              className="grid size-6 shrink-0 place-items-center rounded-sm opacity-70 hover:opacity-100"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onRemove(entry)}
            >
              <X aria-hidden className="size-3.5" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
