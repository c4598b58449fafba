import { useEffect, type RefObject } from "react";

/** Style of a horizontally scrolling list: fades the edges that `useEdgeFade` marks. */
export const edgeFadeStyle =
  "data-more-after:mask-r-from-[calc(100%-4rem)] data-more-before:mask-l-from-[calc(100%-4rem)]";

/** Marks the edges beyond which a list can be scrolled, after every render and scroll. */
export function useEdgeFade(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const place = list.current;
    if (!place) return;
    const mark = () => {
      const { scrollLeft, clientWidth, scrollWidth } = place;
      place.toggleAttribute("data-more-before", scrollLeft > 1);
      place.toggleAttribute("data-more-after", scrollLeft + clientWidth < scrollWidth - 1);
    };
    mark();
    place.addEventListener("scroll", mark, { passive: true });
    const observer = new ResizeObserver(mark);
    observer.observe(place);
    return () => {
      place.removeEventListener("scroll", mark);
      observer.disconnect();
    };
  });
}
