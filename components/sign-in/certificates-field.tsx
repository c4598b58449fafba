"use client";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { Field } from "@/components/form/field";
import { fieldErrors } from "@/components/form/field-errors";
import { useField } from "@/components/form/use-field";
import { Textarea } from "@/components/ui/input";
import { certificatesIn } from "./certificates";

interface CertificatesFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
}

/** Certificates of the provider, one after another in PEM format. */
export function CertificatesField<Values extends FieldValues>({ control, name }: CertificatesFieldProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  return (
    <Field
      label="Certificates"
      hint="In PEM format. While the provider changes its key, enter the old and the new certificate."
      errors={fieldErrors(fieldState.error)}
    >
      {(wiring) => (
        <Textarea
          {...wiring}
          ref={field.ref}
          name={field.name}
          rows={5}
          spellCheck={false}
          className="max-h-64 font-mono text-[13px]"
          placeholder="-----BEGIN CERTIFICATE-----"
          value={((field.value as string[] | undefined) ?? []).join("")}
          onChange={({ target }) => field.onChange(certificatesIn(target.value))}
          onBlur={field.onBlur}
        />
      )}
    </Field>
  );
}
