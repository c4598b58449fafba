"use client";
import { ChevronsUpDown } from "lucide-react";
import { useId, useRef, type Ref } from "react";
import { cn } from "./class-names";
import { fieldStyle } from "./input";
import { PickerChips } from "./picker-chips";
import { PickerList } from "./picker-list";
import type { PickerOption } from "./picker-matches";
import { PickerPopup } from "./picker-popup";
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
  /** True if others than the known values are as good, and aren't marked. */
  allowsAny?: boolean | undefined;
  /** Called with the typed text, for options that are searched elsewhere. */
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
  const { draft, isShown } = picker;
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
          aria-activedescendant={isShown ? `${listId}-${picker.active}` : undefined}
          className={cn(
            "h-6 flex-1 bg-transparent px-1.5 text-[13px] outline-none placeholder:text-muted",
            // While empty, it fits beside the last chip.
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
      {isShown && (
        <PickerPopup place={place} onOpenChange={picker.setOpen}>
          <PickerList
            id={listId}
            matches={picker.matches}
            active={picker.active}
            chosen={value}
            onPoint={picker.setActive}
            onToggle={picker.toggle}
            onAdd={picker.add}
          />
        </PickerPopup>
      )}
    </>
  );
}
