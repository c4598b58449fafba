"use client";
import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { cn } from "./class-names";
import { Input } from "./input";
import { Kbd } from "./kbd";

interface SearchInputProps {
  label: string;
  value: string | null;
  onChange: (value: string | null) => void;
  className?: string;
}

const PAUSE_MS = 250;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest("input, textarea, select, [role=dialog], [role=menu]") !== null);

/** Debounced search input. "/" focuses it, Escape clears it. */
export function SearchInput({ label, value, onChange, className }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState(value ?? "");
  const [sent, setSent] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // Replaces the typed text only on external changes, such as "Clear all".
    if (value !== sent) {
      setSent(value);
      setDraft(value ?? "");
    }
  }
  const text = draft.trim() === "" ? null : draft.trim();
  const send = () => {
    if (text === sent) return;
    setSent(text);
    onChange(text);
  };
  const sendLate = useEffectEvent(send);
  useEffect(() => {
    const timer = setTimeout(() => sendLate(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const onSlash = (event: KeyboardEvent) => {
      if (
        event.key !== "/" ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTyping(event.target) ||
        document.querySelector("[role=dialog][data-state=open]")
      )
        return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", onSlash);
    return () => document.removeEventListener("keydown", onSlash);
  }, []);
  return (
    <div className={cn("group relative", className)}>
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" />
      <Input
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        className="pr-8 pl-8 [&::-webkit-search-cancel-button]:appearance-none"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") send();
          if (event.key === "Escape" && draft !== "") {
            event.preventDefault();
            setDraft("");
          }
        }}
        autoComplete="off"
        spellCheck={false}
      />
      <span
        aria-hidden
        className="pointer-events-none absolute top-1.5 right-2 hidden group-focus-within:hidden md:block"
      >
        {draft === "" && <Kbd>/</Kbd>}
      </span>
    </div>
  );
}
