import { Popover as Primitive } from "radix-ui";
import { useRef, type ReactNode, type RefObject } from "react";
import { cn } from "./class-names";
import { popupStyle } from "./popup-style";

export interface PopoverSurfaceProps {
  /** Names the panel. */
  label: string;
  children: ReactNode;
  align?: "start" | "end";
  className?: string;
}

interface PlacedProps extends PopoverSurfaceProps {
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
}

export function PopoverSurface({ label, children, align = "start", className, anchor, onClose }: PlacedProps) {
  const isLeft = useRef(false);
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Anchor virtualRef={anchor} />
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          onInteractOutside={(event) => {
            // The button that opened it closes it by its own click.
            if (anchor.current?.contains(event.target as Node)) event.preventDefault();
            else isLeft.current = true;
          }}
          onCloseAutoFocus={() => !isLeft.current && anchor.current?.focus()}
          className={cn(
            popupStyle,
            "max-h-(--radix-popover-content-available-height) w-72 max-w-[calc(100vw-1rem)] overflow-y-auto p-3 text-sm",
            className,
          )}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
