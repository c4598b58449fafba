import { useWatch, type Control } from "react-hook-form";
import type { GuardrailValues } from "./guardrail-values";

/** The form's values as they are typed; every field has one from the start. */
export const useValues = (control: Control<GuardrailValues>): GuardrailValues =>
  useWatch({ control }) as GuardrailValues;
