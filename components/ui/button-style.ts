import { cva, type VariantProps } from "class-variance-authority";

/** Styles of buttons and button-like links. */
export const buttonStyle = cva(
  "inline-flex items-center gap-1.5 transition-colors shrink-0 justify-center rounded-md font-medium whitespace-nowrap select-none disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-primary text-on-primary hover:bg-primary-hover",
        secondary: "border bg-surface text-foreground shadow-xs hover:bg-subtle",
        ghost: "text-foreground hover:bg-subtle",
        danger: "bg-danger-fill text-white hover:opacity-90",
      },
      size: {
        sm: "h-7 px-2.5 text-[13px]",
        md: "h-8 px-3 text-sm",
        icon: "text-sm size-8",
        "icon-sm": "text-sm size-7",
      },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

export type ButtonLook = VariantProps<typeof buttonStyle>;
