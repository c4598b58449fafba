import Link from "next/link";
import type { ComponentProps } from "react";
import { buttonStyle, type ButtonLook } from "./button-style";
import { cn } from "./class-names";

/** Link styled as a button. */
export const LinkButton = ({ className, variant, size, ...props }: ComponentProps<typeof Link> & ButtonLook) => (
  <Link className={cn(buttonStyle({ variant, size }), className)} {...props} />
);
