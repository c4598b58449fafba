"use client";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { ChipsInput } from "@/components/ui/chips-input";
import { Field } from "./field";
import { listErrors } from "./field-errors";
import { useField } from "./use-field";

interface TagsFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
}

/** Tags of a record: `name` or `name:value`. */
export function TagsField<Values extends FieldValues>({ control, name }: TagsFieldProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  const { messages, entries } = listErrors(fieldState.error);
  return (
    <Field label="Tags" hint="Analytics groups usage by tag." errors={messages}>
      {(wiring) => (
        <ChipsInput
          {...wiring}
          inputRef={field.ref}
          value={(field.value as string[] | undefined) ?? []}
          onChange={field.onChange}
          onBlur={field.onBlur}
          invalid={entries}
          placeholder="team:search"
        />
      )}
    </Field>
  );
}
