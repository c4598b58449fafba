import { useState, type FocusEvent, type MouseEvent } from "react";

interface ControlProps {
  disabled?: boolean | undefined;
  onClick?: ((event: MouseEvent<HTMLButtonElement>) => void) | undefined;
  onFocus?: ((event: FocusEvent<HTMLButtonElement>) => void) | undefined;
  onBlur?: ((event: FocusEvent<HTMLButtonElement>) => void) | undefined;
}

/**
 * Props of a button or switch. One that is disabled while it has the focus, as during its request, can be focused until it is enabled
 * again: browsers take the focus from disabled elements, and dialogs couldn't return it.
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
      // As in a disabled button: nothing is submitted, and nothing around the button is clicked.
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
