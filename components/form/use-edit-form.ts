import { useRef } from "react";
import { useForm, type FieldValues, type Resolver } from "react-hook-form";

interface EditFormOptions<Values extends FieldValues, Output extends object, Stored> {
  resolver: Resolver<Values, unknown, Output>;
  stored: Stored;
  valuesOf: (stored: Stored) => Values;
  onSaved: (stored: Stored) => void;
}

/**
 * Returns the properties of a `MutationForm` that edits a stored object. Fields that the user hasn't changed follow the
 * object, and only changed ones are sent, so that saving doesn't undo the changes of others.
 */
export function useEditForm<Values extends FieldValues, Output extends object, Stored>({
  resolver,
  stored,
  valuesOf,
  onSaved,
}: EditFormOptions<Values, Output, Stored>) {
  const form = useForm<Values, unknown, Output>({
    resolver,
    values: valuesOf(stored),
    resetOptions: { keepDirtyValues: true },
  });
  const dirty: Readonly<Record<string, unknown>> = form.formState.dirtyFields;
  /** The values that are being saved. */
  const sent = useRef<Values>(null);
  return {
    form,
    toVariables: (output: Output) => {
      sent.current = structuredClone(form.getValues());
      return Object.fromEntries(Object.entries(output).filter(([name]) => dirty[name])) as Partial<Output>;
    },
    onSaved: ({ data }: { data: Stored }) => {
      // Fields that were edited during the save keep their values, as unsaved changes.
      const typed = Object.entries(form.getValues()).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(sent.current?.[name]),
      );
      // `reset` merges `resetOptions`; saved fields must not stay marked as changed.
      form.reset(valuesOf(data), { keepDirtyValues: false });
      form.setValues(Object.fromEntries(typed) as Partial<Values>, { shouldDirty: true });
      onSaved(data);
    },
    isEdit: true,
    isGuarded: true,
  };
}
