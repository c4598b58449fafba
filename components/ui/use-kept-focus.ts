import { useState, type FocusEvent, type MouseEvent } from "react";

interface ControlProps {
  disabled?: boolean | undefined;
  onClick?: ((event: MouseEvent<HTMLButtonElement>) => void) | undefined;
  onFocus?: ((event: FocusEvent<HTMLButtonElement>) => void) | undefined;
  onBlur?: ((event: FocusEvent<HTMLButtonElement>) => void) | undefined;
}

/**
 * Props of a button or switch that keeps focus while it is disabled, such as during its request: browsers take focus from
 * disabled elements, and dialogs couldn't return it.
 */
export function useKeptFocus({ disabled = false, onClick, onFocus, onBlur }: ControlProps) {
  const [isFocused, setFocused] = useState(false);
  const [isKept, setKept] = useState(false);
  const staysFocusable = disabled && (isFocused || isKept);
  if (isKept !== staysFocusable) setKept(staysFocusable);
  return {
    disabled: disabled && !staysFocusable,
    ...(staysFocusable && { "aria-disabled": true }),
    onFocus: (event: FocusEvent<HTMLButtonElement>) => {
      setFocused(true);
      onFocus?.(event);
    },
    onBlur: (event: FocusEvent<HTMLButtonElement>) => {
      setFocused(false);
      onBlur?.(event);
    },
    onClick: (event: MouseEvent<HTMLButtonElement>) => {
      if (!disabled) return onClick?.(event);
      // Like a disabled button, submits nothing and clicks nothing around it.
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
