import { useId, type ReactNode } from "react";
import { cn } from "./class-names";

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode; isDisabled?: boolean }[];
  className?: string;
}

/** Segmented control of a few values, based on native radio buttons. */
export function Segmented<Value extends string>({
  label,
  value,
  onValueChange,
  options,
  className,
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cn("inline-flex max-w-full flex-wrap rounded-md bg-subtle p-0.5", className)}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex h-7 items-center gap-1.5 rounded-[5px] border border-transparent px-2.5 text-[13px] font-medium text-muted outline-accent select-none hover:text-foreground has-checked:border-border-strong/60 has-checked:bg-surface-raised has-checked:text-foreground has-checked:shadow-xs has-disabled:opacity-50 has-focus-visible:outline-2"
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
