import { Popover as Primitive } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import type { ButtonProps } from "./button";
import { cn } from "./class-names";
import { popupStyle } from "./popup-style";

interface PopoverProps {
  trigger: ReactElement<ButtonProps>;
  /** The accessible name of the panel. */
  label: string;
  children: ReactNode;
  open?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  /** Called when focus returns to the button. A dialog opened earlier would lose focus to it. */
  onClosed?: () => void;
  align?: "start" | "end";
  className?: string;
}

/** A small panel next to the button that opens it. */
export function Popover({ trigger, label, children, align = "start", className, onClosed, ...state }: PopoverProps) {
  return (
    <Primitive.Root {...state}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          onCloseAutoFocus={onClosed}
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
