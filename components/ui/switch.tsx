import { Switch as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./class-names";

export function Switch({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn(
        "inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-border-strong bg-subtle-strong p-px transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-50",
        className,
      )}
      {...props}
    >
      <Primitive.Thumb className="size-4 rounded-full bg-foreground/70 transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-surface" />
    </Primitive.Root>
  );
}
