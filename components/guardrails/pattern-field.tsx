import { useEffect, useRef } from "react";
import type { UseFormReturn } from "react-hook-form";
import { fieldErrors } from "@/components/form/field-errors";
import { useField } from "@/components/form/use-field";
import { afterPress } from "@/components/ui/after-press";
import { CodeEditor } from "@/components/ui/code-editor";
import type { GuardrailValues } from "./guardrail-values";
import { useIsUnused } from "./use-rows";

const CHECK_DELAY_MS = 300;

/** Pattern input of a custom filter, validated as you type, on blur and on submit; a new one isn't an error before. */
export function PatternField({ form, index }: { form: UseFormReturn<GuardrailValues>; index: number }) {
  const name = `content_filters.${index}.pattern` as const;
  const { field, fieldState } = useField({ control: form.control, name });
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const isUnused = useIsUnused(form, name);
  const leave = () => {
    field.onBlur();
    afterPress(validateSoon);
  };
  /** Not at once: the click that leaves the field may remove the row. */
  const validateSoon = () => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void form.trigger(name), CHECK_DELAY_MS);
  };
  const change = (pattern: string) => {
    field.onChange(pattern);
    validateSoon();
  };
  const [message] = isUnused ? [] : fieldErrors(fieldState.error);
  return (
    <div
      ref={(place) => {
        field.ref(place && { focus: () => focusTextbox(place) });
      }}
      onBlur={leave}
      className="grid gap-1.5"
    >
      <span aria-hidden className="text-[13px] font-medium">
        Pattern
      </span>
      <CodeEditor
        label="Pattern"
        language="regex"
        minLines={1}
        value={field.value}
        onChange={change}
        problem={message ? { message, ...placeOf(message, field.value) } : null}
      />
    </div>
  );
}

/** Position of the part of the pattern that the message quotes: between backticks, or the start of `(?=…)`, or `\1`. */
function placeOf(message: string, pattern: string): { from?: number; to?: number } {
  const quoted = /`(.+)`|without (?:(.+)…\)|(.+))$/s.exec(message);
  const part = quoted?.[1] ?? quoted?.[2] ?? quoted?.[3];
  const from = part === undefined ? -1 : pattern.lastIndexOf(part);
  return part === undefined || from < 0 ? {} : { from, to: from + part.length };
}

/** The editor is loaded on first use, so its textbox may not exist yet. */
function focusTextbox(place: HTMLElement): void {
  const textbox = () => place.querySelector<HTMLElement>("[role=textbox]");
  if (textbox()) return textbox()?.focus();
  const arrival = new MutationObserver(() => {
    if (!textbox()) return;
    arrival.disconnect();
    textbox()?.focus();
  });
  arrival.observe(place, { childList: true, subtree: true });
}
