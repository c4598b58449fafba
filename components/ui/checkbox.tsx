import { Check, Minus } from "lucide-react";
import { Checkbox as Primitive } from "radix-ui";
import { useId, useRef, type ComponentProps, type ReactNode } from "react";
import { cn } from "./class-names";

interface CheckboxProps extends Omit<ComponentProps<typeof Primitive.Root>, "onChange" | "onCheckedChange"> {
  checked: boolean | "indeterminate";
  /** `isShifted`: the shift key was down, as for selecting a range. */
  onChange: (isChecked: boolean, isShifted: boolean) => void;
  label: ReactNode;
  isLabelHidden?: boolean;
}

/** An option that is on, off or partly on. */
export function Checkbox({ checked, onChange, label, isLabelHidden, className, ...props }: CheckboxProps) {
  const id = useId();
  const isShifted = useRef(false);
  const Mark = checked === "indeterminate" ? Minus : Check;
  return (
    <span className={cn("relative inline-flex min-h-6 items-center gap-2", className)}>
      <Primitive.Root
        id={id}
        checked={checked}
        onClick={(event) => {
          isShifted.current = event.shiftKey;
        }}
        onCheckedChange={(isChecked) => onChange(isChecked === true, isShifted.current)}
        className="grid size-4 shrink-0 place-items-center rounded-sm border border-border-strong bg-surface text-on-primary disabled:opacity-50 data-[state=checked]:border-primary data-[state=checked]:bg-primary data-[state=indeterminate]:border-primary data-[state=indeterminate]:bg-primary"
        {...props}
      >
        <Primitive.Indicator>
          <Mark aria-hidden className="size-3" />
        </Primitive.Indicator>
      </Primitive.Root>
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "text-sm"}>
        {label}
      </label>
    </span>
  );
}
