"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useId, useRef, useState, type KeyboardEvent, type Ref } from "react";
import type { ControlProps } from "@/components/form/field";
import { cn } from "@/components/ui/class-names";
import { count } from "@/lib/platform/count";
import { Input } from "@/components/ui/input";
import { OptionList, optionId } from "@/components/ui/option-list";
import { MatchCount, OptionPopup } from "@/components/ui/option-popup";
import { useActiveOption } from "@/components/ui/use-active-option";
import { isArrow } from "@/components/ui/use-picker";
import { useFoundOptions } from "./found-options";
import { MoreOptions, NoOptions } from "./option-notes";
import { findRecords, recordNameQuery } from "./record-names";
import type { RecordSource } from "./record-sources";

interface RecordSelectProps extends Partial<ControlProps> {
  "aria-label"?: string;
  ref?: Ref<HTMLInputElement>;
  label: string;
  value: string | null;
  /** The value's label, if known. */
  valueLabel?: string;
  onChange: (value: string | null) => void;
  /** Label of the empty option (null); without it, a record must be chosen. */
  none?: string;
  source: RecordSource;
  /** Workspace of the records; null for any. */
  workspace?: string | null;
}

const NONE = "none";

/** Combobox of the organization's records, of which one is chosen. The server searches them. */
export function RecordSelect({
  label,
  value,
  valueLabel,
  onChange,
  none,
  source,
  workspace = null,
  ref,
  ...wiring
}: RecordSelectProps) {
  const place = useRef<HTMLDivElement>(null);
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  /** The typed text; null while the field shows the chosen record. */
  const [draft, setDraft] = useState<string | null>(null);
  const client = useQueryClient();
  const named = useQuery({
    ...recordNameQuery(source, value ?? ""),
    enabled: value !== null && valueLabel === undefined,
  });
  const chosen = value === null ? (none ?? "") : (valueLabel ?? named.data ?? value);
  const text = (draft ?? "").trim();
  const { matches, shown, isSettled, isFetching } = useFoundOptions(
    {
      key: `${source.id} ${workspace ?? ""}`,
      options: [
        ...(none === undefined ? [] : [{ value: NONE, label: none }]),
        ...(value === null ? [] : [{ value, label: chosen }]),
      ],
      find: (q) => findRecords(client, source, q, workspace),
    },
    text,
    isOpen,
  );
  const { active, setActive, move } = useActiveOption(
    shown.length,
    shown.findIndex((option) => option.value === (value ?? NONE)),
  );
  const show = (isShown: boolean) => {
    setOpen(isShown);
    if (isShown) return;
    setDraft(null);
    setActive(null);
  };
  const choose = (next: string) => {
    onChange(next === NONE ? null : next);
    show(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    // Typing replaces the chosen record's name.
    if (draft === null && event.key.length === 1 && !event.ctrlKey && !event.metaKey) event.currentTarget.select();
    const option = shown[active];
    if (event.key === "Enter" && isOpen) {
      if (isSettled && option) choose(option.value);
    } else if (!isOpen && isArrow(event)) show(true);
    else if (!isOpen || !move(event)) return;
    event.preventDefault();
  };
  return (
    <>
      <div ref={place} className="relative">
        <Input
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={isOpen ? optionId(listId, active) : undefined}
          {...wiring}
          ref={ref}
          dir="auto"
          className={cn("truncate pr-8", draft === null && "cursor-default")}
          value={draft ?? chosen}
          onChange={({ target }) => {
            setDraft(target.value);
            setActive(0);
            setOpen(true);
          }}
          onFocus={({ target }) => target.select()}
          onClick={({ currentTarget }) => {
            if (draft === null) currentTarget.select();
            show(true);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => show(false)}
          autoComplete="off"
          spellCheck={false}
        />
        <ChevronDown aria-hidden className="pointer-events-none absolute top-2 right-2.5 size-4 text-muted" />
      </div>
      <MatchCount>{isOpen && isSettled && text !== "" && count(matches.length, "result")}</MatchCount>
      {isOpen && (
        <OptionPopup place={place} onOpenChange={show}>
          <OptionList
            id={listId}
            label={label}
            options={shown}
            active={active}
            chosen={[value ?? NONE]}
            onPoint={setActive}
            onChoose={choose}
          />
          {shown.length === 0 && <NoOptions isFetching={isFetching} text={text} />}
          <MoreOptions total={matches.length} shown={shown.length} />
        </OptionPopup>
      )}
    </>
  );
}
