import { asText } from "../../platform/json-values";

/** Budgets up to which reasoning counts as low, and as medium. */
const LOW_BUDGET = 4096;
const MEDIUM_BUDGET = 16_384;

/** Returns the effort that a number of tokens for reasoning amounts to. */
export const effortOfBudget = (budget: number): "low" | "medium" | "high" =>
  budget <= LOW_BUDGET ? "low" : budget <= MEDIUM_BUDGET ? "medium" : "high";

/** Returns the effort that `reasoning` asks for, in its own words or by a number of tokens; null without any. */
export function effortOf({ effort, enabled, max_tokens }: Readonly<Record<string, unknown>>): string | null {
  if (asText(effort) !== null) return asText(effort);
  if (enabled === false) return "none";
  if (typeof max_tokens === "number") return effortOfBudget(max_tokens);
  return enabled === true ? "medium" : null;
}
