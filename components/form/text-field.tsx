"use client";
import { useEffect, useEffectEvent, useRef, type ChangeEvent, type ComponentProps, type ReactNode } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { Input, Textarea } from "@/components/ui/input";
import { SuggestedInput, type Suggestion } from "@/components/ui/suggested-input";
import { Field } from "./field";
import { fieldErrors } from "./field-errors";
import { useField } from "./use-field";

interface TextFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: ReactNode;
  hint?: ReactNode;
  className?: string;
  /** Renders a textarea with this many rows. */
  rows?: number;
  /** Fits the textarea to its text, from one line; browsers without support show its rows. */
  grows?: boolean;
  /** Converts empty text to null. */
  isNullable?: boolean;
  /** Converts empty text to undefined. */
  isOptional?: boolean;
  input?: Omit<ComponentProps<"input">, "value" | "onChange" | "name">;
  /** Values to choose from; any other text is allowed too. */
  suggestions?: readonly Suggestion[];
}

export function TextField<Values extends FieldValues>({
  control,
  name,
  label,
  hint,
  className,
  rows,
  grows,
  isNullable,
  isOptional,
  input,
  suggestions,
}: TextFieldProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  const change = (text: string) =>
    field.onChange(text !== "" ? text : isNullable ? null : isOptional ? undefined : text);
  const element = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  // React doesn't report text that was typed or autofilled before hydration.
  const adoptText = useEffectEvent(() => {
    if (!field.value && element.current?.value) change(element.current.value);
  });
  useEffect(() => {
    adoptText();
  }, []);
  return (
    <Field label={label} hint={hint} className={className} errors={fieldErrors(fieldState.error)}>
      {(wiring) => {
        const props = {
          ...wiring,
          name: field.name,
          ref: (control: (HTMLInputElement & HTMLTextAreaElement) | null) => {
            element.current = control;
            field.ref(control);
          },
          onBlur: field.onBlur,
          value: (field.value as string | null | undefined) ?? "",
        };
        const onChange = (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => change(event.target.value);
        if (rows)
          return (
            <Textarea
              {...props}
              rows={rows}
              className={grows ? "field-sizing-content max-h-48 min-h-8" : undefined}
              placeholder={input?.placeholder}
              onChange={onChange}
            />
          );
        return suggestions ? (
          <SuggestedInput {...props} {...input} suggestions={suggestions} onChange={onChange} />
        ) : (
          <Input {...props} {...input} onChange={onChange} />
        );
      }}
    </Field>
  );
}
