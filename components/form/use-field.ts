import { useEffect } from "react";
import { useController, type Control, type FieldPath, type FieldValues } from "react-hook-form";
import { noteField } from "./shown-fields";

/** `useController` for a field that shows its own errors, so that `FailureAlert` doesn't repeat them. */
export function useField<Values extends FieldValues, Name extends FieldPath<Values>>(props: {
  control: Control<Values>;
  name: Name;
}) {
  const { control, name } = props;
  useEffect(() => {
    const forget = noteField(control, name);
    return forget;
  }, [control, name]);
  return useController(props);
}
