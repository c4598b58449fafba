import { Check, Plus } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { cn } from "./class-names";
import type { PickerMatches, PickerOption } from "./picker-matches";

interface PickerListProps {
  id: string;
  matches: PickerMatches;
  active: number;
  chosen: readonly string[];
  onPoint: (index: number) => void;
  onToggle: (value: string) => void;
  onAdd: (text: string) => void;
}

/** Options below the field. Focus stays in the field. */
export function PickerList({
  id,
  matches: { options, total, added },
  active,
  chosen,
  onPoint,
  onToggle,
  onAdd,
}: PickerListProps) {
  const groups = [...new Set(options.map(({ group }) => group))];
  const rowOf = (option: PickerOption) => {
    const index = options.indexOf(option);
    const isChosen = chosen.includes(option.value);
    return (
      <Row
        key={option.value}
        id={`${id}-${index}`}
        isActive={index === active}
        isSelected={isChosen}
        onPoint={() => onPoint(index)}
        onChoose={() => onToggle(option.value)}
      >
        <Check aria-hidden className={cn("size-4 shrink-0", !isChosen && "invisible")} />
        <span className="min-w-0 flex-1 truncate">
          {option.label ?? <span className="font-mono text-[13px]">{option.value}</span>}
        </span>
        {option.label !== undefined && option.label !== option.value && (
          <span className="max-w-[50%] truncate font-mono text-xs text-muted">{option.value}</span>
        )}
      </Row>
    );
  };
  return (
    <>
      <div id={id} role="listbox" aria-label="Options" aria-multiselectable className="max-h-72 overflow-y-auto p-1">
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
            id={`${id}-${options.length}`}
            isActive={active === options.length}
            isSelected={false}
            onPoint={() => onPoint(options.length)}
            onChoose={() => onAdd(added)}
          >
            <Plus aria-hidden className="size-4 shrink-0" />
            <span className="truncate">
              Add “{added}” <span className="text-muted">as custom value</span>
            </span>
          </Row>
        )}
      </div>
      {total > options.length && (
        <p className="border-t px-3 py-2 text-xs text-muted">
          Showing {options.length} of {total.toLocaleString("en")}. Type to filter.
        </p>
      )}
    </>
  );
}

interface RowProps {
  id: string;
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
        "flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 text-sm select-none",
        isActive && "bg-subtle",
      )}
      onMouseMove={onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {children}
    </div>
  );
}
