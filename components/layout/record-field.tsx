"use client";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { Field } from "@/components/form/field";
import { fieldErrors } from "@/components/form/field-errors";
import { useField } from "@/components/form/use-field";
import { RecordSelect } from "./record-select";
import type { RecordSource } from "./record-sources";

interface RecordFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: string;
  hint?: string;
  /** Label of the empty option (null). */
  none: string;
  source: RecordSource;
  /** Workspace of the records; null for any. */
  workspace?: string | null;
}

/** Form field of one of the organization's records. */
export function RecordField<Values extends FieldValues>({
  control,
  name,
  label,
  hint,
  none,
  source,
  workspace = null,
}: RecordFieldProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  const value: string | null | undefined = field.value;
  return (
    <Field label={label} hint={hint} errors={fieldErrors(fieldState.error)}>
      {(wiring) => (
        <RecordSelect
          {...wiring}
          ref={field.ref}
          label={label}
          value={value ?? null}
          onChange={field.onChange}
          none={none}
          source={source}
          workspace={workspace}
        />
      )}
    </Field>
  );
}
