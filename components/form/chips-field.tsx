"use client";
import type { ReactNode } from "react";
import { useController, type Control, type FieldPath, type FieldValues } from "react-hook-form";
import { ChipsInput } from "@/components/ui/chips-input";
import { Field } from "./field";
import { listErrors } from "./field-errors";

interface ChipsFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: ReactNode;
  hint?: ReactNode;
  placeholder?: string;
}

/** A list of texts; an empty list is null. */
export function ChipsField<Values extends FieldValues>({ control, name, label, hint, placeholder }: ChipsFieldProps<Values>) {
  const { field, fieldState } = useController({ control, name });
  const { messages, entries } = listErrors(fieldState.error);
  return (
    <Field label={label} hint={hint} errors={messages}>
      {(wiring) => (
        <ChipsInput
          {...wiring}
          inputRef={field.ref}
          value={(field.value as string[] | null) ?? []}
          onChange={(value) => field.onChange(value.length > 0 ? value : null)}
          onBlur={field.onBlur}
          placeholder={placeholder}
          invalid={entries}
        />
      )}
    </Field>
  );
}
