import { Check, ChevronDown } from "lucide-react";
import { Portal, Select as Primitive } from "radix-ui";
import { useState } from "react";
import { pageNonce } from "@/lib/browser/page-nonce";
import { cn } from "./class-names";
import { popupStyle } from "./popup-style";
import { selectStyle, type SelectProps } from "./select-style";

/** The select itself, open from the start: it takes the place of its closed look when that is first used. */
export function SelectSurface<Value extends string>({
  value,
  onValueChange,
  options,
  className,
  disabled,
  ...trigger
}: SelectProps<Value>) {
  const [isOpen, setOpen] = useState(true);
  return (
    <Primitive.Root
      open={isOpen}
      onOpenChange={setOpen}
      value={value}
      onValueChange={(next) => onValueChange(next as Value)}
      disabled={disabled ?? false}
    >
      <Primitive.Trigger className={cn(selectStyle, className)} {...trigger}>
        <span className="truncate">
          <Primitive.Value />
        </span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
      </Primitive.Trigger>
      {isOpen && (
        <Portal.Root>
          <div className="fixed inset-0 z-50" />
        </Portal.Root>
      )}
      <Primitive.Portal>
        <Primitive.Content
          position="popper"
          sideOffset={4}
          className={cn(popupStyle, "max-h-80 p-1 min-w-(--radix-select-trigger-width)")}
        >
          <Primitive.Viewport nonce={pageNonce()}>
            {options.map((option) => (
              <Primitive.Item
                key={option.value}
                value={option.value}
                className="flex h-8 items-center gap-2 rounded-sm pr-8 pl-2 text-sm outline-none select-none data-highlighted:bg-subtle data-[state=checked]:font-medium"
              >
                <Primitive.ItemText>{option.label}</Primitive.ItemText>
                <Primitive.ItemIndicator className="absolute right-2">
                  <Check aria-hidden className="size-4" />
                </Primitive.ItemIndicator>
              </Primitive.Item>
            ))}
          </Primitive.Viewport>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
