import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import type { ApiFailure } from "@/lib/browser/api-failure";

/** Puts the server's issues on their fields, the first focused. The form shows the rest by its own `FailureAlert`. */
export function showFailure<Values extends FieldValues>(form: UseFormReturn<Values>, failure: ApiFailure): void {
  const fields = new Set(Object.keys(form.getValues()));
  failure.issues
    .filter(({ path }) => fields.has(String(path[0])))
    .forEach(({ path, message }, index) => {
      form.setError(path.join(".") as FieldPath<Values>, { type: "server", message }, { shouldFocus: index === 0 });
    });
}
