import type { FieldIssue } from "@/lib/browser/api-failure";

/** Names of the fields that each form shows, by the form's control. */
const shown = new WeakMap<object, Set<string>>();

/** Notes that a form shows a field; returns the function that ends it. */
export function noteField(control: object, name: string): () => void {
  const names = shown.get(control) ?? new Set();
  shown.set(control, names.add(name));
  return () => void names.delete(name);
}

/** True if a field on the page shows the issue: the field at its path, or one whose value contains it. */
export const hasField = (control: object, { path }: FieldIssue): boolean =>
  path.some((_, index) => shown.get(control)?.has(path.slice(0, index + 1).join(".")) ?? false);
