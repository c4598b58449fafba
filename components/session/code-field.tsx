import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { TextField } from "@/components/form/text-field";
import type { ApiFailure } from "@/lib/browser/api-failure";

/** True when the password is right and the account also requires a code. */
export const isCodeMissing = ({ metadata }: ApiFailure): boolean => metadata["reason"] === "second_factor_required";

interface CodeFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
}

/** The second step of sign-in. */
export const CodeField = <Values extends FieldValues>({ control, name }: CodeFieldProps<Values>) => (
  <TextField
    control={control}
    name={name}
    label="Code"
    hint="From your authenticator app, or a recovery code."
    isOptional
    input={{ autoComplete: "one-time-code", autoFocus: true, spellCheck: false }}
  />
);
