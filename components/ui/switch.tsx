import { Switch as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./class-names";
import { useKeptFocus } from "./use-kept-focus";

interface SwitchProps extends Omit<ComponentProps<typeof Primitive.Root>, "onChange" | "onCheckedChange"> {
  checked: boolean;
  onChange: (isOn: boolean) => void;
}

/** A setting that is on or off and takes effect immediately. */
export function Switch({ className, onChange, disabled, onClick, onFocus, onBlur, ...props }: SwitchProps) {
  const control = useKeptFocus({ disabled, onClick, onFocus, onBlur });
  return (
    <Primitive.Root
      onCheckedChange={onChange}
      className={cn(
        "inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-border-strong bg-subtle-strong p-px transition-colors disabled:opacity-50 aria-disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent",
        className,
      )}
      {...props}
      {...control}
    >
      <Primitive.Thumb className="size-4 rounded-full bg-foreground/70 transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-surface" />
    </Primitive.Root>
  );
}
