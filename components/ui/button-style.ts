import { cva, type VariantProps } from "class-variance-authority";

/** The look of what one presses. */
export const buttonStyle = cva(
  "inline-flex items-center gap-1.5 transition-colors base:shrink-0 base:justify-center base:rounded-md base:font-medium base:whitespace-nowrap select-none disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-primary text-on-primary hover:bg-primary-hover",
        secondary: "border base:bg-surface base:text-foreground base:shadow-xs base:hover:bg-subtle",
        ghost: "base:text-foreground base:hover:bg-subtle",
        danger: "bg-danger-fill text-white hover:opacity-90",
      },
      size: {
        sm: "base:h-7 base:px-2.5 base:text-[13px]",
        md: "base:h-8 base:px-3 base:text-sm",
        icon: "text-sm base:size-8",
        "icon-sm": "text-sm base:size-7",
      },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

export type ButtonLook = VariantProps<typeof buttonStyle>;
