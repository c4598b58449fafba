"use client";
import { ChevronsUpDown } from "lucide-react";
import { useId, useRef, useState, type ClipboardEvent, type KeyboardEvent, type Ref } from "react";
import { cn } from "./class-names";
import { fieldStyle } from "./input";
import { PickerChips } from "./picker-chips";
import { PickerList } from "./picker-list";
import { matchOptions, splitEntries, type PickerOption } from "./picker-matches";
import { PickerPopup } from "./picker-popup";

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

const unique = (values: readonly string[]) => [...new Set(values)];

/**
 * Multi-select with search, custom values and pasted lists. Enter selects, comma adds the typed text, Backspace
 * removes the last; leaving the field selects nothing.
 */
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
  const [draft, setDraft] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const listId = useId();
  const matches = matchOptions(options, draft);
  const rows = [...matches.options.map((option) => option.value), ...(matches.added === null ? [] : [matches.added])];
  const current = Math.min(active, rows.length - 1);
  const isShown = isOpen && rows.length > 0;

  const search = (text: string) => {
    setDraft(text);
    onSearch?.(text);
    setActive(0);
    setOpen(true);
  };
  const add = (text: string) => {
    const parts = splitEntries(text);
    if (parts.length > 0) onChange(unique([...value, ...parts]));
    search("");
  };
  const toggle = (entry: string) => {
    onChange(value.includes(entry) ? value.filter((other) => other !== entry) : [...value, entry]);
    if (draft !== "") search("");
  };
  const choose = () => {
    const chosen = rows[current];
    if (!isShown || chosen === undefined) setOpen(true);
    else if (chosen === matches.added) add(chosen);
    else toggle(chosen);
  };
  const step = (by: number) => {
    if (isShown) setActive((current + by + rows.length) % rows.length);
    setOpen(true);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Backspace" && draft === "" && value.length > 0) onChange(value.slice(0, -1));
    const act = { Enter: choose, ",": () => add(draft), ArrowDown: () => step(1), ArrowUp: () => step(-1) }[event.key];
    if (!act || event.nativeEvent.isComposing) return;
    event.preventDefault();
    act();
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData("text");
    if (splitEntries(text).length < 2) return;
    event.preventDefault();
    add(draft + text);
    setOpen(false);
  };
  const leave = () => {
    search("");
    setOpen(false);
    onBlur?.();
  };
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
        <PickerChips value={value} options={allowsAny ? [] : options} invalid={invalid} onRemove={toggle} />
        <input
          ref={inputRef}
          role="combobox"
          aria-expanded={isShown}
          aria-controls={isShown ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={isShown ? `${listId}-${current}` : undefined}
          className={cn(
            "h-6 flex-1 bg-transparent px-1.5 text-[13px] outline-none placeholder:text-muted",
            // While empty, it fits beside the last chip.
            value.length > 0 && draft === "" ? "w-0 min-w-6" : "min-w-32",
          )}
          value={draft}
          placeholder={value.length === 0 ? (placeholder ?? "Search or paste a list") : undefined}
          onChange={(event) => search(event.target.value)}
          onClick={() => setOpen(true)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={leave}
          autoComplete="off"
          spellCheck={false}
          {...field}
        />
        {value.length === 0 && (
          <ChevronsUpDown aria-hidden className="pointer-events-none absolute top-2 right-2 size-4 text-muted" />
        )}
      </div>
      {isShown && (
        <PickerPopup place={place} onOpenChange={setOpen}>
          <PickerList
            id={listId}
            matches={matches}
            active={current}
            chosen={value}
            onPoint={setActive}
            onToggle={toggle}
            onAdd={add}
          />
        </PickerPopup>
      )}
    </>
  );
}
