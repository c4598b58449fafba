import { RadioGroup } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./class-names";

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode }[];
  className?: string;
}

/** One of a few values, all in view. */
export function Segmented<Value extends string>({ label, value, onValueChange, options, className }: SegmentedProps<Value>) {
  return (
    <RadioGroup.Root
      aria-label={label}
      orientation="horizontal"
      value={value}
      onValueChange={(next) => onValueChange(next as Value)}
      className={cn("inline-flex rounded-md bg-subtle p-0.5", className)}
    >
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          value={option.value}
          className="h-7 rounded-[5px] border border-transparent px-2.5 text-[13px] font-medium text-muted hover:text-foreground data-[state=checked]:border-border-strong/60 data-[state=checked]:bg-surface-raised data-[state=checked]:text-foreground data-[state=checked]:shadow-xs"
        >
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
