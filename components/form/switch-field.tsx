"use client";
import { useId, type ReactNode } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { Switch } from "@/components/ui/switch";
import { fieldErrors } from "./field-errors";
import { useField } from "./use-field";

interface SwitchFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: ReactNode;
  hint?: ReactNode;
}

/** Switch field; no value means off. */
export function SwitchField<Values extends FieldValues>({ control, name, label, hint }: SwitchFieldProps<Values>) {
  const {
    field: { ref, value, onChange, onBlur },
    fieldState,
  } = useField({ control, name });
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4 py-1">
      <div className="grid gap-0.5">
        <label htmlFor={id} className="text-[13px] font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-[13px] text-muted">
            {hint}
          </p>
        )}
        {fieldErrors(fieldState.error).map((error) => (
          <p key={error} className="text-[13px] text-danger">
            {error}
          </p>
        ))}
      </div>
      <Switch
        id={id}
        ref={ref}
        checked={value === true}
        onChange={onChange}
        onBlur={onBlur}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
    </div>
  );
}
