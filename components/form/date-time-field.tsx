"use client";
import type { ReactNode } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { DateTimeInput } from "@/components/ui/date-time-input";
import { Field } from "./field";
import { fieldErrors } from "./field-errors";
import { useField } from "./use-field";

interface DateTimeFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: ReactNode;
  hint?: ReactNode;
}

const MINUTE_MS = 60_000;
const TO_THE_MINUTE = "yyyy-mm-ddThh:mm".length;

/** Converts ISO 8601 to the local time format of the browser's input. */
function toLocal(value: unknown): string {
  if (typeof value !== "string") return "";
  const time = new Date(value);
  return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, TO_THE_MINUTE);
}

/** Date and time, entered in local time and stored as ISO 8601 UTC; null if empty. */
export function DateTimeField<Values extends FieldValues>({ control, name, label, hint }: DateTimeFieldProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  return (
    <Field label={label} hint={hint} errors={fieldErrors(fieldState.error)}>
      {(wiring) => (
        <DateTimeInput
          {...wiring}
          ref={field.ref}
          name={field.name}
          value={toLocal(field.value)}
          onChange={({ target }) => field.onChange(target.value === "" ? null : new Date(target.value).toISOString())}
          onBlur={field.onBlur}
        />
      )}
    </Field>
  );
}
