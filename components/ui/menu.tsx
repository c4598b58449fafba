import { Check } from "lucide-react";
import type { DropdownMenu } from "radix-ui";
import {
  cloneElement,
  createContext,
  use,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from "react";
import type { ButtonProps } from "./button";
import { cn } from "./class-names";
import { deferred } from "./deferred";

const itemStyle =
  "relative flex min-h-8 items-center gap-2 rounded-sm px-2 py-1 text-sm outline-none select-none cursor-pointer data-highlighted:bg-subtle data-disabled:pointer-events-none data-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0";

type Parts = typeof DropdownMenu;

const surface = deferred(() => import("./menu-surface"));
const MenuParts = createContext<Parts | null>(null);

function useParts(): Parts {
  const parts = use(MenuParts);
  if (!parts) throw new Error("an item of a menu stands outside of one");
  return parts;
}

/** A menu that opens from `trigger`. */
export function Menu({
  trigger,
  children,
  align = "end",
}: {
  trigger: ReactElement<ButtonProps>;
  children: ReactNode;
  align?: "start" | "end";
}) {
  const [wantedBy, setWantedBy] = useState<"keyboard" | "pointer" | null>(null);
  const part = surface.usePart(wantedBy !== null);
  if (part && wantedBy !== null)
    return (
      <part.MenuSurface trigger={trigger} align={align} openedBy={wantedBy}>
        <MenuParts value={part.DropdownMenu}>{children}</MenuParts>
      </part.MenuSurface>
    );
  const onKeyDown = (event: KeyboardEvent) => {
    if (!["Enter", " ", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    setWantedBy("keyboard");
  };
  return cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: surface.fetch,
    onKeyDown,
    onClick: () => setWantedBy("pointer"),
  });
}

export function MenuItem({
  className,
  isDestructive,
  ...props
}: ComponentProps<Parts["Item"]> & { isDestructive?: boolean }) {
  const { Item } = useParts();
  return (
    <Item
      className={cn(itemStyle, isDestructive && "text-danger data-highlighted:bg-danger-subtle", className)}
      {...props}
    />
  );
}

export function MenuRadioGroup(props: ComponentProps<Parts["RadioGroup"]>) {
  const { RadioGroup } = useParts();
  return <RadioGroup {...props} />;
}

export function MenuRadioItem({ children, ...props }: ComponentProps<Parts["RadioItem"]>) {
  const { RadioItem, ItemIndicator } = useParts();
  return (
    <RadioItem className={cn(itemStyle, "pr-8")} {...props}>
      {children}
      <ItemIndicator className="absolute right-2">
        <Check aria-hidden />
      </ItemIndicator>
    </RadioItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const { Label } = useParts();
  return <Label className="px-2 py-1.5 text-xs text-muted">{children}</Label>;
}

export function MenuSeparator() {
  const { Separator } = useParts();
  return <Separator className="-mx-1 my-1 h-px bg-border" />;
}
