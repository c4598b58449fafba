import { useEffect } from "react";
import { useController, type Control, type FieldPath, type FieldValues } from "react-hook-form";

/** Names of the fields that each form shows. */
const shown = new WeakMap<object, Set<string>>();

export const isShown = (control: object, name: string): boolean => shown.get(control)?.has(name) ?? false;

/** `useController` for a field that shows its own errors, so that `FailureAlert` needn't. */
export function useField<Values extends FieldValues, Name extends FieldPath<Values>>(props: {
  control: Control<Values>;
  name: Name;
}) {
  const { control, name } = props;
  useEffect(() => {
    const names = shown.get(control) ?? new Set();
    shown.set(control, names.add(name));
    return () => void names.delete(name);
  }, [control, name]);
  return useController(props);
}
