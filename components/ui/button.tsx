import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./class-names";

const buttonStyle = cva(
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md text-sm font-medium whitespace-nowrap transition-colors select-none disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-primary text-on-primary hover:bg-primary-hover",
        secondary: "border bg-surface text-foreground shadow-xs hover:bg-subtle",
        ghost: "text-foreground hover:bg-subtle",
        danger: "bg-danger-fill text-white hover:opacity-90",
      },
      size: { sm: "h-7 px-2.5 text-[13px]", md: "h-8 px-3", icon: "size-8", "icon-sm": "size-7" },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

export type ButtonProps = ComponentProps<"button"> & VariantProps<typeof buttonStyle> & { asChild?: boolean };

/** A button, or with `asChild` whatever link it wraps; never submits a form unless told. */
export function Button({ className, variant, size, asChild, ...props }: ButtonProps) {
  const Element = asChild ? Slot.Root : "button";
  return <Element {...(!asChild && { type: "button" })} className={cn(buttonStyle({ variant, size }), className)} {...props} />;
}
