import type { ComponentProps } from "react";
import { buttonStyle, type ButtonLook } from "./button-style";
import { cn } from "./class-names";

export type ButtonProps = ComponentProps<"button"> & ButtonLook;

/** Button with type "button" by default. */
export const Button = ({ className, variant, size, ...props }: ButtonProps) => (
  <button type="button" className={cn(buttonStyle({ variant, size }), className)} {...props} />
);
