import { cloneElement, useRef, useState, type ReactElement } from "react";
import type { ButtonProps } from "./button";
import { deferred } from "./deferred";
import type { PopoverSurfaceProps } from "./popover-surface";

interface PopoverProps extends PopoverSurfaceProps {
  trigger: ReactElement<ButtonProps>;
  open?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

const surface = deferred(() => import("./popover-surface"));

/** A small panel next to the button that opens it. */
export function Popover({ trigger, open, onOpenChange, ...panel }: PopoverProps) {
  const [isOpenItself, setOpenItself] = useState(false);
  const isOpen = open ?? isOpenItself;
  const anchor = useRef<HTMLButtonElement>(null);
  const part = surface.usePart(isOpen);
  const show = (next: boolean) => {
    setOpenItself(next);
    onOpenChange?.(next);
  };
  return (
    <>
      {cloneElement(trigger, {
        ref: anchor,
        "aria-haspopup": "dialog",
        "aria-expanded": isOpen,
        onPointerEnter: surface.fetch,
        onClick: () => show(!isOpen),
      })}
      {part && <part.PopoverSurface {...panel} anchor={anchor} onClose={() => show(false)} />}
    </>
  );
}
