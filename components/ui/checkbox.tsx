import { Check, Minus } from "lucide-react";
import { Checkbox as Primitive } from "radix-ui";
import { useId, type ComponentProps, type ReactNode } from "react";
import { cn } from "./class-names";

interface CheckboxProps extends Omit<ComponentProps<typeof Primitive.Root>, "checked" | "onChange" | "onCheckedChange" | "children" | "asChild"> {
  checked: boolean | "indeterminate";
  onChange: (isChecked: boolean) => void;
  label: ReactNode;
  isLabelHidden?: boolean;
}

/** One thing that is on or off, or partly on. */
export function Checkbox({ checked, onChange, label, isLabelHidden, className, ...props }: CheckboxProps) {
  const id = useId();
  return (
    <span className={cn("inline-flex min-h-6 items-center gap-2", className)}>
      <Primitive.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => onChange(next === true)}
        className="grid size-4 shrink-0 place-items-center rounded-sm border border-border-strong bg-surface text-on-primary disabled:opacity-50 data-[state=checked]:border-primary data-[state=checked]:bg-primary data-[state=indeterminate]:border-primary data-[state=indeterminate]:bg-primary"
        {...props}
      >
        <Primitive.Indicator>{checked === "indeterminate" ? <Minus aria-hidden className="size-3" /> : <Check aria-hidden className="size-3" />}</Primitive.Indicator>
      </Primitive.Root>
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "text-sm"}>
        {label}
      </label>
    </span>
  );
}
