import { Popover as Primitive } from "radix-ui";
import type { ReactNode, RefObject } from "react";
import { cn } from "./class-names";
import { popupStyle } from "./popup-style";

interface OptionPopupProps {
  /** The field that the popup opens below. */
  place: RefObject<HTMLElement | null>;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
}

/** Popup with the options of a combobox. Focus stays in the field. */
export function OptionPopup({ place, onOpenChange, children }: OptionPopupProps) {
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
          className={cn(popupStyle, "w-(--radix-popover-trigger-width) min-w-56 max-w-[calc(100vw-1rem)]")}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Announces the number of options. It is there before the number changes, or screen readers wouldn't say it. */
export function MatchCount({ children }: { children: ReactNode }) {
  return (
    <span role="status" className="sr-only">
      {children}
    </span>
  );
}
