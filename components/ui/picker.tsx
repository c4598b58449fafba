"use client";
import { ChevronsUpDown, CircleHelp, X } from "lucide-react";
import { useId, useRef, type Ref } from "react";
import { cn } from "./class-names";
import { fieldStyle } from "./input";
import { count } from "@/lib/platform/count";
import { OptionList, optionId } from "./option-list";
import { MatchCount, OptionPopup } from "./option-popup";
import type { PickerOption } from "./picker-matches";
import { usePicker } from "./use-picker";

export type { PickerOption } from "./picker-matches";

export interface PickerProps {
  id?: string;
  value: readonly string[];
  onChange: (value: string[]) => void;
  onBlur?: () => void;
  /** Known values. While empty, no value is marked as unknown. */
  options: readonly PickerOption[];
  placeholder?: string | undefined;
  /** True to leave unknown values unmarked. */
  allowsAny?: boolean | undefined;
  /** Called with the typed text to search options elsewhere. */
  onSearch?: ((text: string) => void) | undefined;
  inputRef?: Ref<HTMLInputElement>;
  /** Indices of invalid entries. */
  invalid?: readonly number[];
  "aria-label"?: string;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: boolean | undefined;
}

/** Multi-select with search, custom values and pasted lists. */
export function Picker({
  value,
  onChange,
  onBlur,
  options,
  placeholder,
  allowsAny = false,
  onSearch,
  inputRef,
  invalid = [],
  ...field
}: PickerProps) {
  const place = useRef<HTMLDivElement>(null);
  const listId = useId();
  const picker = usePicker({ value, onChange, onBlur, options, onSearch });
  const { draft, isShown, matches } = picker;
  return (
    <>
      <div
        ref={place}
        className={cn(
          fieldStyle,
          "relative flex max-h-56 flex-wrap items-center gap-1 overflow-y-auto p-1 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent",
          value.length === 0 && "pr-8",
          field["aria-invalid"] && "border-danger",
        )}
      >
        <PickerChips value={value} options={allowsAny ? [] : options} invalid={invalid} onRemove={picker.toggle} />
        <input
          ref={inputRef}
          role="combobox"
          aria-expanded={isShown}
          aria-controls={isShown ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={isShown ? optionId(listId, picker.active) : undefined}
          className={cn(
            "h-6 flex-1 bg-transparent px-1.5 text-[13px] outline-none placeholder:text-muted",
            // Narrow while empty, to fit beside the last chip.
            value.length > 0 && draft === "" ? "w-0 min-w-6" : "min-w-32",
          )}
          value={draft}
          placeholder={value.length === 0 ? (placeholder ?? "Search or paste a list") : undefined}
          {...picker.input}
          autoComplete="off"
          spellCheck={false}
          {...field}
        />
        {value.length === 0 && (
          <ChevronsUpDown aria-hidden className="pointer-events-none absolute top-2 right-2 size-4 text-muted" />
        )}
      </div>
      <MatchCount>{isShown && draft !== "" && count(matches.total, "result")}</MatchCount>
      {isShown && (
        <OptionPopup place={place} onOpenChange={picker.setOpen}>
          <OptionList
            id={listId}
            label="Options"
            options={matches.options.map((option) => ({ ...option, hint: hintOf(option) }))}
            active={picker.active}
            chosen={value}
            isMultiple
            added={matches.added}
            onPoint={picker.setActive}
            onChoose={picker.toggle}
            onAdd={picker.add}
          />
          {matches.total > matches.options.length && (
            <p className="border-t px-3 py-2 text-xs text-muted">
              Showing {matches.options.length} of {matches.total.toLocaleString("en")}. Type to filter.
            </p>
          )}
        </OptionPopup>
      )}
    </>
  );
}

/** The value, if the label differs from it. */
const hintOf = ({ value, label }: PickerOption) =>
  label === undefined || label === value ? undefined : <span className="font-mono">{value}</span>;

interface PickerChipsProps {
  value: readonly string[];
  options: readonly PickerOption[];
  invalid: readonly number[];
  onRemove: (entry: string) => void;
}

/** Selected values. Unknown ones are marked. */
function PickerChips({ value, options, invalid, onRemove }: PickerChipsProps) {
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
            <bdi className={cn("truncate py-0.5 pl-1.5", label === undefined && "font-mono")}>{label ?? entry}</bdi>
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
