import { useId, type KeyboardEvent, type ReactNode } from "react";
import { count } from "@/lib/platform/count";
import { Input } from "./input";
import { OptionList, optionId, type ListedOption } from "./option-list";
import { MatchCount } from "./option-popup";
import { useActiveOption } from "./use-active-option";

interface SearchedOptionsProps {
  /** Name of the list: "Keys". */
  label: string;
  /** Without it, the list has the focus. */
  search?: { label: string; text: string; onChange: (text: string) => void } | undefined;
  options: readonly ListedOption[];
  /** All matches, possibly more than `options`. */
  total: number;
  /** Whether the options are those of the typed text. Until then, Enter chooses nothing. */
  isSettled: boolean;
  chosen: readonly string[];
  isMultiple?: boolean | undefined;
  added?: string | null;
  isHintBelow?: boolean | undefined;
  onChoose: (value: string) => void;
  onAdd?: ((text: string) => void) | undefined;
  listClassName?: string;
  /** Shown instead of options. */
  empty: ReactNode;
}

/** Combobox whose list is always shown. */
export function SearchedOptions({
  label,
  search,
  options,
  total,
  isSettled,
  chosen,
  isMultiple,
  added = null,
  isHintBelow,
  onChoose,
  onAdd,
  listClassName,
  empty,
}: SearchedOptionsProps) {
  const id = useId();
  const rows = options.length + (added === null ? 0 : 1);
  const { active, setActive, move } = useActiveOption(
    rows,
    options.findIndex(({ value }) => chosen.includes(value)),
  );
  const choose = () => {
    const option = options[active];
    if (!isSettled) return;
    if (option) onChoose(option.value);
    else if (added !== null) onAdd?.(added);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" || (event.key === " " && !search)) choose();
    else if (!move(event)) return;
    event.preventDefault();
  };
  return (
    <>
      {search && (
        <Input
          role="combobox"
          aria-label={search.label}
          aria-expanded={rows > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={optionId(id, active)}
          placeholder="Search"
          value={search.text}
          onChange={({ target }) => {
            search.onChange(target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <MatchCount>{isSettled && search && search.text.trim() !== "" && count(total, "result")}</MatchCount>
      <OptionList
        id={id}
        label={label}
        options={options}
        active={active}
        chosen={chosen}
        isMultiple={isMultiple}
        added={added}
        isHintBelow={isHintBelow}
        onPoint={setActive}
        onChoose={onChoose}
        onAdd={onAdd}
        className={listClassName}
        {...(!search && { tabIndex: 0, onKeyDown })}
      />
      {rows === 0 && empty}
    </>
  );
}
