import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import type { ApiFailure, FieldIssue } from "@/lib/browser/api-failure";
import { isShown } from "./use-field";

/** True if a field on the page shows the issue: the field at its path, or one whose value contains it. */
export const hasField = (control: object, { path }: FieldIssue): boolean =>
  path.some((_, index) => isShown(control, path.slice(0, index + 1).join(".")));

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
