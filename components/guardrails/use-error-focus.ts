import { useEffect } from "react";
import { useFormState, type Control } from "react-hook-form";
import type { GuardrailValues } from "./guardrail-values";

/** After a failed submit, focuses the first field with an error, whose section may have just opened. */
export function useErrorFocus(control: Control<GuardrailValues>, formId: string): void {
  const { submitCount, isSubmitSuccessful } = useFormState({ control });
  useEffect(() => {
    if (submitCount === 0 || isSubmitSuccessful) return;
    const form = document.getElementById(formId);
    if (form?.querySelector("[aria-invalid=true]:focus")) return;
    const found = form?.querySelector<HTMLElement>("[aria-invalid=true]") ?? form?.querySelector("[data-has-errors]");
    if (found instanceof HTMLElement) found.focus();
  }, [submitCount, isSubmitSuccessful, formId]);
}
