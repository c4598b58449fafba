"use client";
import { useState, type ComponentProps } from "react";
import { buttonStyle, type ButtonLook } from "./button-style";
import { cn } from "./class-names";

export type ButtonProps = ComponentProps<"button"> & ButtonLook;

/**
 * Button with type "button" by default. One that is disabled while it has the focus, as during its request, can be focused until it is enabled
 * again: browsers take the focus from disabled elements, and dialogs couldn't return it.
 */
export function Button({
  className,
  variant,
  size,
  disabled = false,
  onClick,
  onFocus,
  onBlur,
  ...props
}: ButtonProps) {
  const [isFocused, setFocused] = useState(false);
  const [isKept, setKept] = useState(false);
  const staysFocusable = disabled && (isFocused || isKept);
  if (isKept !== staysFocusable) setKept(staysFocusable);
  return (
    <button
      type="button"
      className={cn(buttonStyle({ variant, size }), className)}
      {...props}
      disabled={disabled && !staysFocusable}
      {...(staysFocusable && { "aria-disabled": true })}
      onFocus={(event) => {
        setFocused(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setFocused(false);
        onBlur?.(event);
      }}
      onClick={(event) => {
        if (!disabled) return onClick?.(event);
        // As in a disabled button: nothing is submitted, and nothing around the button is clicked.
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
