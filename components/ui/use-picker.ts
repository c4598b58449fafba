import { useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { matchOptions, splitEntries, type PickerOption } from "./picker-matches";
import { useActiveOption } from "./use-active-option";

/** Whether the key opens a closed list. */
export const isArrow = ({ key }: { key: string }): boolean => key === "ArrowDown" || key === "ArrowUp";

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
 * removes the last value, arrow keys, Home and End move between options. Leaving the field selects nothing.
 */
export function usePicker({ value, onChange, onBlur, options, onSearch }: PickerState) {
  const [draft, setDraft] = useState("");
  const [isOpen, setOpen] = useState(false);
  const matches = matchOptions(options, draft);
  const rows = [...matches.options.map((option) => option.value), ...(matches.added === null ? [] : [matches.added])];
  const { active: current, setActive, move } = useActiveOption(rows.length);
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
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Backspace" && draft === "" && value.length > 0) onChange(value.slice(0, -1));
    if (event.nativeEvent.isComposing) return;
    const act = { Enter: choose, ",": () => add(draft) }[event.key];
    if (act) act();
    else if (!isShown && isArrow(event)) setOpen(true);
    else if (!isShown || !move(event)) return;
    event.preventDefault();
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
