"use client";
import { useState, type ReactNode } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { Input } from "@/components/ui/input";
import { Field } from "./field";
import { fieldErrors } from "./field-errors";
import { useField } from "./use-field";

interface AmountFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: ReactNode;
  hint?: ReactNode;
  placeholder?: string;
}

const toAmount = (text: string) =>
  text.trim() === "" ? null : Number(text.trim().replace(/^\$/, "").replaceAll(",", ""));

/** Plain decimal with at most six places, since String() would print 0.0000015 as 1.5e-6. */
const toText = (value: unknown) =>
  typeof value === "number" && !Number.isNaN(value) ? String(Number(value.toFixed(6))) : "";

/** Amount in US dollars; null if empty. */
export function AmountField<Values extends FieldValues>({
  control,
  name,
  label,
  hint,
  placeholder,
}: AmountFieldProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <Field label={label} hint={hint} errors={fieldErrors(fieldState.error)}>
      {(wiring) => (
        <div className="relative">
          <span aria-hidden className="absolute inset-y-0 left-2.5 flex items-center text-muted">
            $
          </span>
          <Input
            {...wiring}
            ref={field.ref}
            name={field.name}
            inputMode="decimal"
            placeholder={placeholder}
            autoComplete="off"
            className="pl-6 tabular-nums"
            value={draft ?? toText(field.value)}
            onChange={(event) => {
              setDraft(event.target.value);
              field.onChange(toAmount(event.target.value));
            }}
            onBlur={() => {
              if (!Number.isNaN(field.value)) setDraft(null);
              field.onBlur();
            }}
          />
        </div>
      )}
    </Field>
  );
}
