import { useId, type ReactNode } from "react";
import { cn } from "./class-names";

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode; isDisabled?: boolean }[];
  /** Fills the width with one line. */
  isWide?: boolean;
  className?: string;
}

/** Segmented control of a few values, based on native radio buttons. */
export function Segmented<Value extends string>({
  label,
  value,
  onValueChange,
  options,
  isWide,
  className,
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cn(
        "max-w-full rounded-md bg-subtle p-0.5",
        isWide ? "flex" : "inline-flex flex-wrap justify-self-start",
        className,
      )}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={cn(
            "relative flex h-7 items-center gap-1.5 rounded-[5px] border border-transparent px-2.5 text-[13px] font-medium text-muted outline-accent select-none hover:text-foreground has-checked:border-border-strong/60 has-checked:bg-surface-raised has-checked:text-foreground has-checked:shadow-xs has-disabled:opacity-50 has-focus-visible:outline-2",
            isWide && "flex-auto justify-center px-1 whitespace-nowrap",
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.isDisabled}
            onChange={() => onValueChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-[5px] outline-none"
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
