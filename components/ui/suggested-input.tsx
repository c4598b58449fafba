import { useId, type ComponentProps } from "react";
import { Input } from "./input";

export interface Suggestion {
  value: string;
  label?: string | undefined;
}

interface SuggestedInputProps extends ComponentProps<"input"> {
  suggestions: readonly Suggestion[];
}

/** Text field with suggestions; any other text is allowed too. */
export function SuggestedInput({ suggestions, ...input }: SuggestedInputProps) {
  const id = useId();
  return (
    <>
      <Input {...input} list={id} autoComplete="off" spellCheck={false} />
      <datalist id={id}>
        {suggestions.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </datalist>
    </>
  );
}
