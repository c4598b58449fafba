import { Tooltip as Primitive } from "radix-ui";
import type { ReactNode } from "react";

interface TooltipProps {
  text: ReactNode;
  children: ReactNode;
  side?: "top" | "right" | "bottom";
}

const DELAY_MS = 300;

/** A hint on hover and focus; the page must be usable without it. */
export function Tooltip({ text, children, side = "top" }: TooltipProps) {
  return (
    <Primitive.Provider delayDuration={DELAY_MS}>
      <Primitive.Root>
        <Primitive.Trigger asChild>{children}</Primitive.Trigger>
        <Primitive.Portal>
          <Primitive.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-72 rounded-md bg-primary px-2 py-1 text-xs text-on-primary shadow-md"
          >
            {text}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </Primitive.Provider>
  );
}
