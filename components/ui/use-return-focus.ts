import { useInsertionEffect, useRef } from "react";
import { focusHeading } from "./focus-heading";

/**
 * Handlers of an overlay that return the focus to the element that had it before: to the overlay's trigger if that was the
 * page itself, and to the page's heading if the element is gone. Radix returns it to triggers alone.
 */
export function useReturnFocus(isOpen: boolean) {
  const previous = useRef<Element | null>(null);
  // Radix doesn't report the opening if a field of the content takes the focus itself, which this effect precedes.
  useInsertionEffect(() => {
    if (isOpen) previous.current = document.activeElement;
  }, [isOpen]);
  return {
    onOpenAutoFocus: () => {
      previous.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      const { current } = previous;
      previous.current = null;
      if (current instanceof HTMLElement && current.isConnected && current !== document.body) {
        event.preventDefault();
        current.focus({ preventScroll: true });
      } else requestAnimationFrame(focusHeading);
    },
  };
}
