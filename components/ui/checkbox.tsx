import { Check, Minus } from "lucide-react";
import { useId, type ComponentProps, type ReactNode } from "react";
import { cn } from "./class-names";

interface CheckboxProps extends Omit<ComponentProps<"input">, "checked" | "onChange" | "type"> {
  checked: boolean | "indeterminate";
  /** `isShifted`: the shift key was held, as one does to choose everything in between. */
  onChange: (isChecked: boolean, isShifted: boolean) => void;
  label: ReactNode;
  isLabelHidden?: boolean;
}

/** One thing that is on or off, or partly on. */
export function Checkbox({ checked, onChange, label, isLabelHidden, className, ...props }: CheckboxProps) {
  const id = useId();
  const isPartly = checked === "indeterminate";
  const Mark = isPartly ? Minus : Check;
  const setPartly = (input: HTMLInputElement | null) => {
    if (input) input.indeterminate = isPartly;
  };
  return (
    <span className={cn("inline-flex min-h-6 items-center gap-2", className)}>
      <span className="relative size-4 shrink-0">
        <input
          ref={setPartly}
          id={id}
          type="checkbox"
          checked={checked === true}
          onChange={({ target, nativeEvent }) => onChange(target.checked, (nativeEvent as MouseEvent).shiftKey)}
          className="absolute inset-0 appearance-none rounded-sm border border-border-strong bg-surface checked:border-primary checked:bg-primary indeterminate:border-primary indeterminate:bg-primary enabled:cursor-pointer disabled:opacity-50"
          {...props}
        />
        {checked !== false && (
          <Mark aria-hidden className="pointer-events-none absolute inset-0.5 size-3 text-on-primary" />
        )}
      </span>
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "text-sm"}>
        {label}
      </label>
    </span>
  );
}
