import { asText } from "../../platform/json-values";

/** Largest budgets of low and of medium reasoning. */
const LOW_BUDGET = 4096;
const MEDIUM_BUDGET = 16_384;

/** Returns the effort for a reasoning budget in tokens. */
export const effortOfBudget = (budget: number): "low" | "medium" | "high" =>
  budget <= LOW_BUDGET ? "low" : budget <= MEDIUM_BUDGET ? "medium" : "high";

/** Returns the effort that `reasoning` names or that its budget implies; null without any. */
export function effortOf({ effort, enabled, max_tokens }: Readonly<Record<string, unknown>>): string | null {
  if (asText(effort) !== null) return asText(effort);
  if (enabled === false) return "none";
  if (typeof max_tokens === "number") return effortOfBudget(max_tokens);
  return enabled === true ? "medium" : null;
}
