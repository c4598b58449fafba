"use client";
import type { ReactNode } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { Select, type SelectOption } from "@/components/ui/select";
import { Field } from "./field";
import { fieldErrors } from "./field-errors";
import { useField } from "./use-field";

interface SelectFieldProps<Values extends FieldValues, Value extends string> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: ReactNode;
  hint?: ReactNode;
  options: readonly SelectOption<Value>[];
  /** Label of the empty option (null); a value is required if omitted. */
  none?: string;
  /** The option shown while the field has no value. */
  absent?: Value;
}

const NONE = "none";

export function SelectField<Values extends FieldValues, Value extends string>({
  control,
  name,
  label,
  hint,
  options,
  none,
  absent,
}: SelectFieldProps<Values, Value>) {
  const { field, fieldState } = useField({ control, name });
  const value: Value | null | undefined = field.value;
  const all = none === undefined ? options : [{ value: NONE, label: none }, ...options];
  return (
    <Field label={label} hint={hint} errors={fieldErrors(fieldState.error)}>
      {(wiring) => (
        <Select
          {...wiring}
          value={value ?? absent ?? NONE}
          onValueChange={(chosen: string) => field.onChange(chosen === NONE ? null : chosen)}
          options={all}
        />
      )}
    </Field>
  );
}
