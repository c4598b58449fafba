"use client";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { Field } from "@/components/form/field";
import { fieldErrors } from "@/components/form/field-errors";
import { useField } from "@/components/form/use-field";
import { Select } from "@/components/ui/select";

interface AnswerFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: string;
  /** Label for null. */
  unknown: string;
}

const ANSWERS = new Map([
  ["unknown", null],
  ["yes", true],
  ["no", false],
]);

/** Select with "Yes", "No" and unknown (null). */
export function AnswerField<Values extends FieldValues>({ control, name, label, unknown }: AnswerFieldProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  const value = field.value === true ? "yes" : field.value === false ? "no" : "unknown";
  const options = [
    { value: "unknown", label: unknown },
    { value: "yes", label: "Yes" },
    { value: "no", label: "No" },
  ];
  return (
    <Field label={label} errors={fieldErrors(fieldState.error)}>
      {(wiring) => (
        <Select
          {...wiring}
          value={value}
          onValueChange={(next) => field.onChange(ANSWERS.get(next))}
          options={options}
        />
      )}
    </Field>
  );
}
