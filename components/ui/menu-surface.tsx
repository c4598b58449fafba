import { DropdownMenu } from "radix-ui";
import { useState, type ReactNode } from "react";
import { cn } from "./class-names";
import { popupStyle } from "./popup-style";

export { DropdownMenu } from "radix-ui";

interface MenuSurfaceProps {
  trigger: ReactNode;
  children: ReactNode;
  align: "start" | "end";
  openedBy: "keyboard" | "pointer";
}

/** Whoever opened the menu by keyboard stands on its first item. */
function enterFirst(content: HTMLElement | null): void {
  requestAnimationFrame(() => content?.querySelector<HTMLElement>("[role^=menuitem]:not([data-disabled])")?.focus());
}

/** The menu itself, open from the start: it takes the place of its trigger when that is first used. */
export function MenuSurface({ trigger, children, align, openedBy }: MenuSurfaceProps) {
  const [isFirst, setFirst] = useState(openedBy === "keyboard");
  return (
    <DropdownMenu.Root modal={false} defaultOpen onOpenChange={() => setFirst(false)}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          ref={isFirst ? enterFirst : undefined}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={cn(popupStyle, "min-w-44 p-1")}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
