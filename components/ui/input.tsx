import type { ComponentProps } from "react";
import { cn } from "./class-names";

/** Styles shared by text fields and select triggers. */
export const fieldStyle =
  "rounded-md border text-foreground w-full border-border-strong/60 bg-surface text-sm shadow-xs placeholder:text-muted focus-visible:border-accent focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-danger";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input className={cn(fieldStyle, "h-8 px-2.5", className)} {...props} />;
}

export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return <textarea className={cn(fieldStyle, "min-h-16 px-2.5 py-1.5", className)} {...props} />;
}
