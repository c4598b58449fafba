import { ChevronDown } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { cn } from "./class-names";
import { deferred } from "./deferred";
import { selectStyle, type SelectProps } from "./select-style";

export type { SelectOption } from "./select-style";

const surface = deferred(() => import("./select-surface"));

/** One of a few values. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const [isWanted, setWanted] = useState(false);
  const part = surface.usePart(isWanted);
  if (part) return <part.SelectSurface {...props} />;
  const { value, onValueChange: _, options, className, ...trigger } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setWanted(true);
  };
  return (
    <button
      type="button"
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      onPointerEnter={surface.fetch}
      onKeyDown={onKeyDown}
      onClick={() => setWanted(true)}
      className={cn(selectStyle, className)}
      {...trigger}
    >
      <span className="truncate">{options.find((option) => option.value === value)?.label}</span>
      <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
    </button>
  );
}
