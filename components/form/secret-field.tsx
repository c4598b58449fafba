"use client";
import type { ReactNode } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Field } from "./field";
import { fieldErrors } from "./field-errors";
import { useField } from "./use-field";

interface SecretFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: string;
  hint?: ReactNode;
  /** A value is already stored: undefined keeps it, null removes it. */
  isStored?: boolean;
  /** The stored value can be replaced, but not removed. */
  isRequired?: boolean;
}

/** Write-only secret that can be entered, replaced and removed. */
export function SecretField<Values extends FieldValues>({
  control,
  name,
  label,
  hint,
  isStored = false,
  isRequired = false,
}: SecretFieldProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  const value = field.value as string | null | undefined;
  const errors = fieldErrors(fieldState.error);
  const isKept = isStored && value === undefined;
  const isRemoved = isStored && value === null;
  const keep = (
    <Button size="sm" onClick={() => field.onChange(undefined)}>
      Keep stored value
    </Button>
  );
  if (isKept || isRemoved) {
    return (
      <div role="group" aria-label={label} className="grid content-start gap-1.5">
        <span className="text-[13px] font-medium">{label}</span>
        <div className="flex min-h-8 flex-wrap items-center gap-2">
          <span className="mr-1 text-muted">{isKept ? "Stored (hidden)" : "Will be removed"}</span>
          <Button size="sm" onClick={() => field.onChange("")} aria-label={`Replace ${label}`}>
            Replace
          </Button>
          {isKept && !isRequired && (
            <Button size="sm" onClick={() => field.onChange(null)} aria-label={`Remove ${label}`}>
              Remove
            </Button>
          )}
          {isRemoved && keep}
        </div>
        {errors.map((error) => (
          <p key={error} role="alert" className="text-[13px] text-danger">
            {error}
          </p>
        ))}
      </div>
    );
  }
  return (
    <Field label={label} hint={hint} errors={errors}>
      {(wiring) => (
        <div className="flex items-center gap-2">
          <Input
            {...wiring}
            ref={field.ref}
            name={field.name}
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={value ?? ""}
            onChange={({ target }) =>
              field.onChange(target.value === "" && !isStored && !isRequired ? null : target.value)
            }
            onBlur={field.onBlur}
          />
          {isStored && keep}
        </div>
      )}
    </Field>
  );
}
