import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { useDeferredValue, type ReactNode } from "react";
import { Button } from "./button";
import { overlayStyle } from "./popup-style";
import { DiscardQuestion } from "./discard-question";
import { useKeptInput } from "./use-kept-input";
import { useReturnFocus } from "./use-return-focus";

interface SideSheetProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Buttons to the right of the title. */
  actions?: ReactNode;
  /** Nothing in it takes the focus, so it does itself: the keyboard scrolls it. */
  isReadOnly?: boolean;
  children: ReactNode;
}

/** Details of one row of the list behind it, at the right edge; full width on a phone. */
export function SideSheet({ open, onClose, title, actions, isReadOnly = false, children }: SideSheetProps) {
  // Paints the press first, as in `Dialog`.
  const isShown = useDeferredValue(open) && open;
  const returnFocus = useReturnFocus(isShown);
  const { content: keptInput, isAsking } = useKeptInput(isShown);
  return (
    <Primitive.Root open={isShown} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className={overlayStyle} />
        <Primitive.Content
          aria-describedby={undefined}
          {...returnFocus}
          {...keptInput}
          className="fixed inset-y-0 right-0 z-50 flex w-full flex-col border-l bg-background shadow-xl duration-150 outline-none data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:slide-in-from-right-8 sm:w-[min(56rem,calc(100vw-3rem))]"
        >
          <div className="flex min-h-13 shrink-0 items-center gap-2 border-b px-4 py-2 sm:px-6">
            <Primitive.Title className="min-w-0 flex-1 truncate text-base font-semibold">{title}</Primitive.Title>
            {actions}
            <Primitive.Close asChild>
              <Button variant="ghost" size="icon" aria-label="Close">
                <X aria-hidden />
              </Button>
            </Primitive.Close>
          </div>
          <div
            {...(isReadOnly && { tabIndex: 0, role: "group", "aria-label": "Details" })}
            className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-5 sm:px-6"
          >
            {isAsking && <DiscardQuestion />}
            {children}
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
