"use client";
import type { ReactNode } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { Picker, type PickerOption } from "@/components/ui/picker";
import { Field } from "./field";
import { listErrors } from "./field-errors";
import { useField } from "./use-field";

interface PickerFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: ReactNode;
  hint?: ReactNode;
  options: readonly PickerOption[];
  placeholder?: string;
  allowsAny?: boolean;
  onSearch?: (text: string) => void;
  /** The value of an empty list. */
  empty?: null | readonly [];
}

/** Multi-select of known or custom values. */
export function PickerField<Values extends FieldValues>({
  control,
  name,
  label,
  hint,
  options,
  placeholder,
  allowsAny,
  onSearch,
  empty = null,
}: PickerFieldProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  const { messages, entries } = listErrors(fieldState.error);
  return (
    <Field label={label} hint={hint} errors={messages}>
      {(wiring) => (
        <Picker
          {...wiring}
          inputRef={field.ref}
          value={(field.value as string[] | null) ?? []}
          onChange={(value) => field.onChange(value.length > 0 ? value : empty)}
          onBlur={field.onBlur}
          options={options}
          placeholder={placeholder}
          allowsAny={allowsAny}
          onSearch={onSearch}
          invalid={entries}
        />
      )}
    </Field>
  );
}
