import { useWatch, type Control } from "react-hook-form";
import type { GuardrailValues } from "./guardrail-values";

/** Live form values; every field has a default. */
export const useValues = (control: Control<GuardrailValues>): GuardrailValues =>
  useWatch({ control }) as GuardrailValues;
