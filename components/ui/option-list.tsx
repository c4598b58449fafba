import { Check, Plus } from "lucide-react";
import { useEffect, useRef, type ComponentProps, type ReactNode } from "react";
import { cn } from "./class-names";

export interface ListedOption {
  value: string;
  /** Display label, if it differs from the value. */
  label?: string | undefined;
  hint?: ReactNode;
  group?: string | undefined;
}

interface OptionListProps extends Pick<ComponentProps<"div">, "className" | "tabIndex" | "onKeyDown"> {
  id: string;
  label: string;
  options: readonly ListedOption[];
  /** Index of the active option. The one after the last adds `added`. */
  active: number;
  chosen: readonly string[];
  isMultiple?: boolean | undefined;
  /** The typed text, if it can be added. */
  added?: string | null;
  /** Shows hints below the labels. */
  isHintBelow?: boolean | undefined;
  onPoint: (index: number) => void;
  onChoose: (value: string) => void;
  onAdd?: ((text: string) => void) | undefined;
}

export const optionId = (id: string, index: number): string | undefined => (index < 0 ? undefined : `${id}-${index}`);

/** Listbox of a combobox, or one that has the focus itself. */
export function OptionList({
  id,
  label,
  options,
  active,
  chosen,
  isMultiple = false,
  added = null,
  isHintBelow = false,
  onPoint,
  onChoose,
  onAdd,
  className,
  ...list
}: OptionListProps) {
  const groups = [...new Set(options.map(({ group }) => group))];
  const isEmpty = options.length === 0 && added === null;
  const rowOf = (option: ListedOption) => {
    const index = options.indexOf(option);
    const isChosen = chosen.includes(option.value);
    return (
      <Row
        key={option.value}
        id={optionId(id, index)}
        isActive={index === active}
        isSelected={isChosen}
        onPoint={() => onPoint(index)}
        onChoose={() => onChoose(option.value)}
      >
        <Check aria-hidden className={cn("size-4 shrink-0", !isChosen && "invisible")} />
        <span className={cn("min-w-0 flex-1", !isHintBelow && "flex flex-wrap items-baseline gap-x-3")}>
          <bdi className={cn("min-w-0 flex-1 wrap-anywhere", option.label === undefined && "font-mono text-[13px]")}>
            {option.label ?? option.value}
          </bdi>
          {option.hint !== undefined && (
            <span
              className={cn(
                "text-xs text-muted",
                isHintBelow ? "line-clamp-2 block text-[13px]" : "max-w-full truncate",
              )}
            >
              {option.hint}
            </span>
          )}
        </span>
      </Row>
    );
  };
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      aria-multiselectable={isMultiple || undefined}
      aria-activedescendant={list.tabIndex === undefined ? undefined : optionId(id, active)}
      className={cn("max-h-72 overflow-y-auto p-1", className, isEmpty && "hidden")}
      // The field keeps the focus, also while the list is scrolled by its bar.
      onMouseDown={list.tabIndex === undefined ? (event) => event.preventDefault() : undefined}
      {...list}
    >
      {groups.map((group) => {
        const rows = options.filter((option) => option.group === group).map(rowOf);
        return group === undefined ? (
          rows
        ) : (
          <div key={group} role="group" aria-label={group}>
            <div aria-hidden className="px-2 pt-2 pb-1 text-xs font-medium text-muted">
              {group}
            </div>
            {rows}
          </div>
        );
      })}
      {added !== null && (
        <Row
          id={optionId(id, options.length)}
          isActive={active === options.length}
          isSelected={false}
          onPoint={() => onPoint(options.length)}
          onChoose={() => onAdd?.(added)}
        >
          <Plus aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            Add “<bdi>{added}</bdi>” <span className="text-muted">as custom value</span>
          </span>
        </Row>
      )}
    </div>
  );
}

interface RowProps {
  id: string | undefined;
  isActive: boolean;
  isSelected: boolean;
  onPoint: () => void;
  onChoose: () => void;
  children: ReactNode;
}

function Row({ id, isActive, isSelected, onPoint, onChoose, children }: RowProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isSelected}
      className={cn(
        "flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 text-sm select-none",
        isActive && "bg-subtle",
      )}
      onMouseMove={onPoint}
      onClick={onChoose}
    >
      {children}
    </div>
  );
}
