import { Check, ChevronDown } from "lucide-react";
import { Portal, Select as Primitive } from "radix-ui";
import { useState, type ReactNode } from "react";
import { pageNonce } from "@/lib/browser/page-nonce";
import { cn } from "./class-names";
import { fieldStyle } from "./input";
import { popupStyle } from "./popup-style";

export interface SelectOption<Value extends string> {
  value: Value;
  label: ReactNode;
  isDisabled?: boolean;
}

interface SelectProps<Value extends string> {
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  id?: string;
  className?: string;
  disabled?: boolean;
  autoFocus?: boolean;
  "aria-label"?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
}

/** Select of a few values. */
export function Select<Value extends string>({
  value,
  onValueChange,
  options,
  className,
  disabled = false,
  ...trigger
}: SelectProps<Value>) {
  const [isOpen, setOpen] = useState(false);
  const label = options.find((option) => option.value === value)?.label;
  return (
    <Primitive.Root
      open={isOpen}
      onOpenChange={setOpen}
      value={value}
      onValueChange={(next) => onValueChange(next as Value)}
      disabled={disabled}
    >
      <Primitive.Trigger
        className={cn(fieldStyle, "flex h-8 items-center justify-between gap-2 px-2.5 text-left", className)}
        {...trigger}
      >
        <span className="truncate">
          {/* Explicit, because the label isn't available from items during server rendering. An empty value shows the placeholder. */}
          <Primitive.Value placeholder={label}>{label}</Primitive.Value>
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
          className={cn(popupStyle, "max-h-80 min-w-(--radix-select-trigger-width) p-1")}
        >
          <Primitive.Viewport nonce={pageNonce()}>
            {options.map((option) => (
              <Primitive.Item
                key={option.value}
                value={option.value}
                disabled={option.isDisabled}
                className="flex h-8 items-center gap-2 rounded-sm pr-8 pl-2 text-sm outline-none select-none data-disabled:text-muted data-disabled:opacity-60 data-highlighted:bg-subtle data-[state=checked]:font-medium"
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
