import { useEffect } from "react";
import { useFormState, type FieldPath, type FieldValues, type UseFormReturn } from "react-hook-form";

/**
 * Validates fields with errors again when any other field changes: a choice may fill them or end the rule they
 * broke. Errors from the server stay until their own field changes.
 */
export function useFreshErrors<Values extends FieldValues, Output>(form: UseFormReturn<Values, unknown, Output>): void {
  const { errors } = useFormState({ control: form.control });
  useEffect(() => {
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: () => {
        const broken = Object.entries(errors).filter(
          ([, error]) => error?.type !== "server" && error?.type !== "custom",
        );
        if (broken.length > 0) void form.trigger(broken.map(([name]) => name as FieldPath<Values>));
      },
    });
    return unsubscribe;
  }, [form, errors]);
}
