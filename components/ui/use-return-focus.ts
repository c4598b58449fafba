import { useRef } from "react";

/**
 * Handlers of an overlay that return the focus to the element that had it before: to the overlay's trigger if that was the
 * page itself, and to the page's heading if the element is gone. Radix returns it to triggers alone.
 */
export function useReturnFocus() {
  const previous = useRef<Element | null>(null);
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

function focusHeading(): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const heading = document.querySelector<HTMLElement>("main h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
