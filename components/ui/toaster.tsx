"use client";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { Toaster as Sonner } from "sonner";
import { buttonStyle } from "./button-style";
import { cn } from "./class-names";

const MAX_SHOWN = 4;
const HOTKEY = ["F8"];

/** Above a bar at the bottom of the page, see globals.css. */
const OFFSET = { bottom: "var(--toast-bottom, 1.25rem)", right: "1.25rem" };
const MOBILE_OFFSET = { ...OFFSET, left: "1rem", right: "1rem" };

const ICONS = {
  success: <CircleCheck aria-hidden className="size-4 text-success" />,
  error: <CircleAlert aria-hidden className="size-4 text-danger" />,
  close: <X aria-hidden />,
};

const LOOK = {
  unstyled: true,
  closeButtonAriaLabel: "Dismiss",
  classNames: {
    toast:
      "flex w-(--width) items-start gap-2.5 rounded-lg border bg-surface-raised p-3 pr-2 font-sans text-sm text-foreground shadow-lg",
    icon: "mt-0.5 shrink-0",
    content: "grid min-w-0 flex-1 gap-0.5",
    title: "font-medium wrap-anywhere",
    description: "text-[13px] wrap-anywhere text-muted",
    actionButton: cn(buttonStyle({ size: "sm" }), "-my-0.5"),
    closeButton: cn(buttonStyle({ variant: "ghost", size: "icon-sm" }), "order-last -my-1 size-6 text-muted"),
  },
};

/** Shows toasts at the bottom right. Hovering them or pressing F8 stops their timers. */
export const Toaster = () => (
  <Sonner
    position="bottom-right"
    offset={OFFSET}
    mobileOffset={MOBILE_OFFSET}
    expand
    closeButton
    visibleToasts={MAX_SHOWN}
    hotkey={HOTKEY}
    icons={ICONS}
    toastOptions={LOOK}
  />
);
