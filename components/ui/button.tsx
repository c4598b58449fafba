"use client";
import type { ComponentProps } from "react";
import { buttonStyle, type ButtonLook } from "./button-style";
import { cn } from "./class-names";
import { useKeptFocus } from "./use-kept-focus";

export type ButtonProps = ComponentProps<"button"> & ButtonLook;

/** Button with type "button" by default. */
export function Button({ className, variant, size, disabled, onClick, onFocus, onBlur, ...props }: ButtonProps) {
  const control = useKeptFocus({ disabled, onClick, onFocus, onBlur });
  return <button type="button" className={cn(buttonStyle({ variant, size }), className)} {...props} {...control} />;
}
