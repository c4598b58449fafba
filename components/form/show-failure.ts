import type { Control, FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import type { ApiFailure, FieldIssue } from "@/lib/browser/api-failure";

/** A node of the tree in which react-hook-form registers fields. */
interface FieldNode {
  [name: string]: FieldNode | undefined;
}

/** True if a mounted field shows the issue: the field at its path, or one whose value contains it. */
export function hasField<Values extends FieldValues>(control: Control<Values>, { path }: FieldIssue): boolean {
  let node = control._fields as FieldNode | undefined;
  for (const part of path) {
    node = node?.[part];
    if (node?._f?.["mount"]) return true;
  }
  return false;
}

/** Sets the server's issues on their fields and focuses the first. Other issues appear in the form's `FailureAlert`. */
export function showFailure<Values extends FieldValues>(form: UseFormReturn<Values>, failure: ApiFailure): void {
  const fields = new Set(Object.keys(form.getValues()));
  failure.issues
    .filter(({ path }) => fields.has(String(path[0])))
    .forEach(({ path, message }, index) => {
      form.setError(path.join(".") as FieldPath<Values>, { type: "server", message }, { shouldFocus: index === 0 });
    });
}
