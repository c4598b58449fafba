import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { useDeferredValue, type ReactNode } from "react";
import { Button } from "./button";
import { cn } from "./class-names";
import { dialogStyle, overlayStyle } from "./popup-style";
import { DiscardQuestion } from "./discard-question";
import { useKeptInput } from "./use-kept-input";
import { useReturnFocus } from "./use-return-focus";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  children: ReactNode;
  /** False to disable Escape, outside clicks and the close button. */
  isDismissible?: boolean;
  className?: string;
}

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  isDismissible = true,
  className,
}: DialogProps) {
  // Paints the press first, then renders the content without blocking the page.
  const isShown = useDeferredValue(open) && open;
  const returnFocus = useReturnFocus(isShown);
  const { content: keptInput, isAsking } = useKeptInput(isShown);
  const keepOpen = (event: Event) => !isDismissible && event.preventDefault();
  const onEscapeKeyDown = (event: Event) => {
    keepOpen(event);
    keptInput.onEscapeKeyDown(event);
  };
  const onInteractOutside = (event: Event) => {
    keepOpen(event);
    keptInput.onInteractOutside(event);
  };
  return (
    <Primitive.Root open={isShown} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={overlayStyle} />
        <Primitive.Content
          className={cn(dialogStyle, className)}
          {...returnFocus}
          {...keptInput}
          onEscapeKeyDown={onEscapeKeyDown}
          onInteractOutside={onInteractOutside}
        >
          <div className="grid gap-1 pr-8">
            <Primitive.Title className="text-base font-semibold">{title}</Primitive.Title>
            <Primitive.Description className="text-sm text-muted">{description}</Primitive.Description>
          </div>
          {isAsking && <DiscardQuestion />}
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

/** Buttons at the end of a dialog, always in view. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-5 z-10 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 rounded-b-xl bg-surface-raised px-5 pt-3 pb-5">
      {children}
    </div>
  );
}
