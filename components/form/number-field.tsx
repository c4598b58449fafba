"use client";
import { useState, type ReactNode } from "react";
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

const toText = (value: unknown) => (typeof value === "number" && !Number.isNaN(value) ? String(value) : "");
const toNumber = (text: string) => (text.trim() === "" ? null : Number(text.replaceAll(/[,\s]/g, "")));

/** Number input; null if empty. Invalid numbers are reported by the schema. */
export function NumberField<Values extends FieldValues>({ control, name, label, hint }: NumberFieldProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  /** The text as typed; null if the field isn't being edited. */
  const [draft, setDraft] = useState<string | null>(null);
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
          value={draft ?? toText(field.value)}
          onChange={(event) => {
            setDraft(event.target.value);
            field.onChange(toNumber(event.target.value));
          }}
          onBlur={() => {
            if (!Number.isNaN(field.value)) setDraft(null);
            field.onBlur();
          }}
        />
      )}
    </Field>
  );
}
