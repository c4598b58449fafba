"use client";
import type { ReactNode } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { ChipsInput } from "@/components/ui/chips-input";
import { Field } from "./field";
import { listErrors } from "./field-errors";
import { useField } from "./use-field";

interface ChipsFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: ReactNode;
  hint?: ReactNode;
  placeholder?: string;
}

/** List of short texts. */
export function ChipsField<Values extends FieldValues>({
  control,
  name,
  label,
  hint,
  placeholder,
}: ChipsFieldProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  const { messages, entries } = listErrors(fieldState.error);
  return (
    <Field label={label} hint={hint} errors={messages}>
      {(wiring) => (
        <ChipsInput
          {...wiring}
          inputRef={field.ref}
          value={(field.value as string[] | undefined) ?? []}
          onChange={field.onChange}
          onBlur={field.onBlur}
          invalid={entries}
          {...(placeholder !== undefined && { placeholder })}
        />
      )}
    </Field>
  );
}
