import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import type { ButtonProps } from "./button";
import { cn } from "./class-names";
import { popupStyle } from "./popup-style";

const itemStyle =
  "relative flex min-h-8 items-center gap-2 rounded-sm px-2 py-1 text-sm outline-none select-none cursor-pointer data-highlighted:bg-subtle data-disabled:pointer-events-none data-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0";

interface MenuProps {
  trigger: ReactElement<ButtonProps>;
  children: ReactNode;
  align?: "start" | "end";
}

/** A menu that opens from `trigger`. */
export function Menu({ trigger, children, align = "end" }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
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

export function MenuItem({
  className,
  isDestructive,
  ...props
}: ComponentProps<typeof DropdownMenu.Item> & { isDestructive?: boolean }) {
  return (
    <DropdownMenu.Item
      className={cn(itemStyle, isDestructive && "text-danger data-highlighted:bg-danger-subtle", className)}
      {...props}
    />
  );
}

export function MenuRadioGroup(props: ComponentProps<typeof DropdownMenu.RadioGroup>) {
  return <DropdownMenu.RadioGroup {...props} />;
}

export function MenuRadioItem({ children, ...props }: ComponentProps<typeof DropdownMenu.RadioItem>) {
  return (
    <DropdownMenu.RadioItem className={cn(itemStyle, "pr-8")} {...props}>
      {children}
      <DropdownMenu.ItemIndicator className="absolute right-2">
        <Check aria-hidden />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.RadioItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2 py-1.5 text-xs text-muted">{children}</DropdownMenu.Label>;
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-border" />;
}
