import { useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { matchOptions, splitEntries, type PickerOption } from "./picker-matches";

interface PickerState {
  value: readonly string[];
  onChange: (value: string[]) => void;
  onBlur?: (() => void) | undefined;
  options: readonly PickerOption[];
  onSearch?: ((text: string) => void) | undefined;
}

const unique = (values: readonly string[]) => [...new Set(values)];

/**
 * State of a picker: the typed text, its matches, and the handlers. Enter selects, comma adds the typed text, Backspace
 * removes the last value. Leaving the field selects nothing.
 */
export function usePicker({ value, onChange, onBlur, options, onSearch }: PickerState) {
  const [draft, setDraft] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
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
  return {
    draft,
    matches,
    active: current,
    isShown,
    setOpen,
    setActive,
    add,
    toggle,
    input: {
      onChange: ({ target }: { target: HTMLInputElement }) => search(target.value),
      onClick: () => setOpen(true),
      onKeyDown,
      onPaste,
      onBlur: leave,
    },
  };
}
