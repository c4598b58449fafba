import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { focusHeading } from "@/components/ui/focus-heading";

/** Moves the focus to the heading of the next page if the element that had it is gone with the previous page. */
export function PageFocus() {
  const path = usePathname();
  const previous = useRef(path);
  useEffect(() => {
    if (previous.current === path) return;
    previous.current = path;
    const frame = requestAnimationFrame(focusHeading);
    return () => cancelAnimationFrame(frame);
  }, [path]);
  return null;
}
