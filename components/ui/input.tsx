import { useEffect, useImperativeHandle, useRef, type ComponentProps, type Ref } from "react";
import { repeatEarlyText } from "@/lib/browser/early-input";
import { cn } from "./class-names";

/** Styles shared by text fields and select triggers. */
export const fieldStyle =
  "rounded-md border text-foreground w-full border-border-strong/60 bg-surface text-sm shadow-xs placeholder:text-muted focus-visible:border-accent focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-danger";

/** Runs after the effects of the first render, when the form's listeners are attached. */
function useEarlyText<Field extends HTMLInputElement | HTMLTextAreaElement>(ref: Ref<Field> | undefined) {
  const field = useRef<Field>(null);
  useImperativeHandle(ref, () => field.current as Field, []);
  useEffect(() => {
    const repeat = setTimeout(() => field.current && repeatEarlyText(field.current));
    return () => clearTimeout(repeat);
  }, []);
  return field;
}

export function Input({ className, ref, ...props }: ComponentProps<"input">) {
  return <input ref={useEarlyText(ref)} className={cn(fieldStyle, "h-8 px-2.5", className)} {...props} />;
}

export function Textarea({ className, ref, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea ref={useEarlyText(ref)} className={cn(fieldStyle, "min-h-16 px-2.5 py-1.5", className)} {...props} />
  );
}
