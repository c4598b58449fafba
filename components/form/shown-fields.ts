import type { FieldIssue } from "@/lib/browser/api-failure";

/** Names of each form's visible fields, by the form's control. */
const shown = new WeakMap<object, Set<string>>();

/** Registers a visible field of a form; returns the function that unregisters it. */
export function noteField(control: object, name: string): () => void {
  const names = shown.get(control) ?? new Set();
  shown.set(control, names.add(name));
  return () => void names.delete(name);
}

/** True if a visible field shows the issue: the field at its path, or a field whose value contains the path. */
export const hasField = (control: object, { path }: FieldIssue): boolean =>
  path.some((_, index) => shown.get(control)?.has(path.slice(0, index + 1).join(".")) ?? false);
