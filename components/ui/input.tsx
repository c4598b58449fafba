import { useComposedRefs } from "radix-ui/internal";
import type { ComponentProps } from "react";
import { cn } from "./class-names";

/** The look that text fields and select triggers share. */
export const fieldStyle =
  "w-full rounded-md border border-border-strong/60 bg-surface text-sm text-foreground shadow-xs placeholder:text-muted focus-visible:border-accent focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-danger";

/** Reports a text that was typed, or filled in by the browser, before the page came alive: React shows it and forgets it at the next render. */
function reportEarlyText(element: HTMLInputElement | HTMLTextAreaElement | null): void {
  if (!element || element.value === element.defaultValue) return;
  const typed = element.value;
  // React compares with the last value that was set through the element itself; the prototype's setter passes it by.
  element.value = element.defaultValue;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value")?.set?.call(element, typed);
  element.dispatchEvent(new Event("input", { bubbles: true }));
}

export function Input({ className, ref, ...props }: ComponentProps<"input">) {
  return <input ref={useComposedRefs(ref, reportEarlyText)} className={cn(fieldStyle, "h-8 px-2.5", className)} {...props} />;
}

export function Textarea({ className, ref, ...props }: ComponentProps<"textarea">) {
  return <textarea ref={useComposedRefs(ref, reportEarlyText)} className={cn(fieldStyle, "min-h-16 px-2.5 py-1.5", className)} {...props} />;
}
