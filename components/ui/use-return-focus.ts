import { useInsertionEffect, useRef } from "react";
import { focusHeading } from "./focus-heading";

/**
 * Handlers that return focus from an overlay to the previously focused element: to the overlay's trigger if that was the
 * page itself, or to the page's heading if the element is gone. Radix only returns focus to triggers.
 */
export function useReturnFocus(isOpen: boolean) {
  const previous = useRef<Element | null>(null);
  // Radix doesn't report the opening if a field of the content focuses itself. This effect runs before that.
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
