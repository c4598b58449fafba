import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import type { ApiFailure } from "@/lib/browser/api-failure";

/** Sets the server's issues on their fields and focuses the first. Other issues appear in the form's `FailureAlert`. */
export function showFailure<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  failure: ApiFailure,
): void {
  const fields = new Set(Object.keys(form.getValues()));
  failure.issues
    .filter(({ path }) => fields.has(String(path[0])))
    .forEach(({ path, message }, index) => {
      form.setError(path.join(".") as FieldPath<Values>, { type: "server", message }, { shouldFocus: index === 0 });
    });
}
