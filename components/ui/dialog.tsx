import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button";
import { cn } from "./class-names";

export const overlayStyle = "fixed inset-0 z-50 bg-black/45 data-[state=open]:animate-in data-[state=open]:fade-in-0";
export const dialogStyle =
  "fixed top-1/2 left-1/2 z-50 grid max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 gap-4 overflow-y-auto rounded-xl border bg-surface-raised p-5 shadow-xl data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-98 duration-150";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  children: ReactNode;
  /** False: neither Escape nor a click outside closes it, and there is no close button. */
  isDismissible?: boolean;
  className?: string;
}

export function Dialog({ open, onOpenChange, title, description, children, isDismissible = true, className }: DialogProps) {
  const hold = (event: Event) => !isDismissible && event.preventDefault();
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={overlayStyle} />
        <Primitive.Content className={cn(dialogStyle, className)} onEscapeKeyDown={hold} onInteractOutside={hold}>
          <div className="grid gap-1 pr-8">
            <Primitive.Title className="text-base font-semibold">{title}</Primitive.Title>
            <Primitive.Description className="text-sm text-muted">{description}</Primitive.Description>
          </div>
          {children}
          {isDismissible && (
            <Primitive.Close asChild>
              <Button variant="ghost" size="icon-sm" className="absolute top-3.5 right-3.5" aria-label="Close">
                <X aria-hidden />
              </Button>
            </Primitive.Close>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2 pt-1">{children}</div>;
}
