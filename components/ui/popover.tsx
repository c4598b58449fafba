import { Slot } from "radix-ui";
import { useRef, useState, type ReactNode } from "react";
import { deferred } from "./deferred";
import type { PopoverSurfaceProps } from "./popover-surface";

interface PopoverProps extends PopoverSurfaceProps {
  trigger: ReactNode;
  open?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

const surface = deferred(() => import("./popover-surface"));

/** A small panel next to the button that opens it. */
export function Popover({ trigger, open, onOpenChange, ...panel }: PopoverProps) {
  const [isOpenItself, setOpenItself] = useState(false);
  const isOpen = open ?? isOpenItself;
  const anchor = useRef<HTMLElement>(null);
  const part = surface.usePart(isOpen);
  const show = (next: boolean) => {
    setOpenItself(next);
    onOpenChange?.(next);
  };
  return (
    <>
      <Slot.Root ref={anchor} aria-haspopup="dialog" aria-expanded={isOpen} onPointerEnter={surface.fetch} onClick={() => show(!isOpen)}>
        {trigger}
      </Slot.Root>
      {part && <part.PopoverSurface {...panel} anchor={anchor} onClose={() => show(false)} />}
    </>
  );
}
