"use client";
import { X } from "lucide-react";
import { useState, type ClipboardEvent, type KeyboardEvent, type Ref } from "react";
import { afterPress } from "./after-press";
import { cn } from "./class-names";
import { fieldStyle } from "./input";

interface ChipsInputProps {
  id?: string;
  value: readonly string[];
  onChange: (value: string[]) => void;
  onBlur?: () => void;
  inputRef?: Ref<HTMLInputElement>;
  placeholder?: string;
  /** Indices of invalid entries. */
  invalid?: readonly number[];
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: boolean | undefined;
}

const split = (text: string) => text.split(/[\s,;]+/).filter((part) => part !== "");
const unique = (values: readonly string[]) => [...new Set(values)];

/**
 * Input for a list of short texts. Enter, comma or blur adds one, Backspace removes the last, a pasted list is split.
 */
export function ChipsInput({
  value,
  onChange,
  onBlur,
  inputRef,
  placeholder,
  invalid = [],
  ...field
}: ChipsInputProps) {
  const [draft, setDraft] = useState("");
  const add = (text: string) => {
    const parts = split(text);
    if (parts.length > 0) onChange(unique([...value, ...parts]));
    setDraft("");
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if ((event.key === "Enter" || event.key === ",") && draft !== "") {
      event.preventDefault();
      add(draft);
    } else if (event.key === "Enter") event.preventDefault();
    else if (event.key === "Backspace" && draft === "" && value.length > 0) onChange(value.slice(0, -1));
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData("text");
    if (split(text).length < 2) return;
    event.preventDefault();
    add(draft + text);
  };
  return (
    <div
      className={cn(
        fieldStyle,
        "flex max-h-56 flex-wrap items-center gap-1 overflow-y-auto p-1 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent",
        field["aria-invalid"] && "border-danger",
      )}
    >
      {value.length > 0 && (
        <ul className="contents">
          {value.map((entry, index) => (
            <li
              key={entry}
              className={cn(
                "inline-flex max-w-full items-center rounded-sm text-[13px] bg-subtle",
                invalid.includes(index) && "bg-danger-subtle text-danger",
              )}
            >
              <span className="truncate py-0.5 pl-1.5 font-mono">{entry}</span>
              <button
                type="button"
                aria-label={`Remove ${entry}`}
                className="grid size-6 shrink-0 place-items-center rounded-sm text-muted hover:text-foreground"
                onClick={() => onChange(value.filter((other) => other !== entry))}
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={inputRef}
        className="h-6 min-w-32 flex-1 bg-transparent px-1.5 font-mono text-[13px] outline-none placeholder:font-sans placeholder:text-muted"
        value={draft}
        placeholder={value.length === 0 ? placeholder : undefined}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => {
          afterPress(() => add(draft));
          onBlur?.();
        }}
        autoComplete="off"
        spellCheck={false}
        {...field}
      />
    </div>
  );
}
