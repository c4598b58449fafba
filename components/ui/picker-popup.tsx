import { Popover as Primitive } from "radix-ui";
import type { ReactNode, RefObject } from "react";
import { cn } from "./class-names";
import { popupStyle } from "./popup-style";

/** Popup with a picker's options. Focus stays in the field. */
export function PickerPopup({
  place,
  onOpenChange,
  children,
}: {
  place: RefObject<HTMLElement | null>;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
}) {
  return (
    <Primitive.Root open onOpenChange={onOpenChange}>
      <Primitive.Anchor virtualRef={place} />
      <Primitive.Portal>
        <Primitive.Content
          role="presentation"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onInteractOutside={(event) => place.current?.contains(event.target as Node) && event.preventDefault()}
          className={cn(popupStyle, "w-(--radix-popover-trigger-width)")}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
