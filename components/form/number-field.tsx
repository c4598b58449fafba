"use client";
import type { ReactNode } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { Input } from "@/components/ui/input";
import { Field } from "./field";
import { fieldErrors } from "./field-errors";
import { useField } from "./use-field";

interface NumberFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: ReactNode;
  hint?: ReactNode;
}

const toNumber = (text: string) => (text.trim() === "" ? null : Number(text.replaceAll(/[,\s]/g, "")));

/** Number input; null if empty. Invalid numbers are reported by the schema. */
export function NumberField<Values extends FieldValues>({ control, name, label, hint }: NumberFieldProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  const value: number | null | undefined = field.value;
  return (
    <Field label={label} hint={hint} errors={fieldErrors(fieldState.error)}>
      {(wiring) => (
        <Input
          {...wiring}
          ref={field.ref}
          name={field.name}
          inputMode="numeric"
          autoComplete="off"
          className="tabular-nums"
          defaultValue={value ?? ""}
          onChange={(event) => field.onChange(toNumber(event.target.value))}
          onBlur={field.onBlur}
        />
      )}
    </Field>
  );
}
