import { useLayoutEffect, useState } from "react";
import {
  useFieldArray,
  useFormState,
  type FieldArray,
  type FieldPath,
  type FieldPathValue,
  type UseFormReturn,
} from "react-hook-form";
import type { GuardrailValues } from "./guardrail-values";

type RowsName = "content_filters" | "external_checks" | "judges";

/** Rows of a list in the form. `remove` returns the function that restores the row. */
export function useRows<Name extends RowsName>(form: UseFormReturn<GuardrailValues>, name: Name) {
  const { fields, append, move, ...list } = useFieldArray({ control: form.control, name });
  const remove = (index: number) => {
    const row = form.getValues(`${name}.${index}` as FieldPath<GuardrailValues>) as FieldArray<GuardrailValues, Name>;
    list.remove(index);
    const rows = (): readonly unknown[] => (form.getValues(name) as readonly unknown[] | null | undefined) ?? [];
    return () => list.insert(Math.min(index, rows().length), row);
  };
  return { fields, append, move, remove };
}

/**
 * True while a field of a new row is empty and hasn't been left or submitted. Clears its errors: the form validates the whole list when a row
 * is added.
 */
export function useIsUnused(form: UseFormReturn<GuardrailValues>, name: FieldPath<GuardrailValues>): boolean {
  const formState = useFormState({ control: form.control, name });
  const { submitCount } = formState;
  const [submitCountBefore] = useState(submitCount);
  const { error, isTouched } = form.getFieldState(name, formState);
  const value: FieldPathValue<GuardrailValues, typeof name> = form.getValues(name);
  const isUnused = value === "" && !isTouched && submitCount === submitCountBefore;
  const isTooEarly = isUnused && error !== undefined;
  useLayoutEffect(() => {
    if (isTooEarly) form.clearErrors(name);
  }, [form, name, isTooEarly]);
  return isUnused;
}
