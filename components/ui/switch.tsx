import type { ComponentProps } from "react";
import { cn } from "./class-names";

interface SwitchProps extends Omit<ComponentProps<"input">, "checked" | "onChange" | "type" | "role"> {
  checked: boolean;
  onChange: (isOn: boolean) => void;
}

/** On or off, at once. */
export const Switch = ({ className, onChange, ...props }: SwitchProps) => (
  <input
    type="checkbox"
    role="switch"
    onChange={({ target }) => onChange(target.checked)}
    className={cn(
      "inline-flex h-5 w-9 shrink-0 appearance-none items-center rounded-full border border-border-strong bg-subtle-strong p-px transition-colors before:size-4 before:rounded-full before:bg-foreground/70 before:transition-transform checked:border-accent checked:bg-accent checked:before:translate-x-4 checked:before:bg-surface enabled:cursor-pointer disabled:opacity-50",
      className,
    )}
    {...props}
  />
);
