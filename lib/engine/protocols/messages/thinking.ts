import { asObject, asText, type JsonObject } from "../../../platform/json-values";
import { takesThinkingBudget } from "./models";

/** The smallest thinking budget in tokens. */
export const MIN_BUDGET = 1024;

/** Shares of the output limit by effort, for models with a thinking budget. */
const SHARES: Readonly<Record<string, number>> = {
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.95,
  max: 0.95,
};

/** Returns the effort for a thinking budget and an output limit. */
function effortOf(budget: number, maxTokens: number): string {
  const share = budget / maxTokens;
  if (share <= 0.2) return "low";
  return share <= 0.5 ? "medium" : "high";
}

/** The reasoning that a request asks for. */
interface Reasoning {
  effort: string | null;
  /** The thinking budget in tokens. */
  budget: number | null;
  isEnabled: boolean;
  /** True when the request excludes the text of the reasoning. */
  isExcluded: boolean;
}

export function reasoningOf({ reasoning, reasoning_effort }: Readonly<Record<string, unknown>>): Reasoning {
  const { effort, enabled, max_tokens, exclude } = asObject(reasoning) ?? {};
  return {
    effort: asText(effort ?? (enabled === false ? "none" : reasoning_effort)),
    budget: typeof max_tokens === "number" ? max_tokens : null,
    isEnabled: enabled === true,
    isExcluded: exclude === true,
  };
}

/** True when a request asks the model to reason. */
export function isReasoningRequested(request: Readonly<Record<string, unknown>>): boolean {
  const { effort, budget, isEnabled } = reasoningOf(request);
  return effort !== "none" && (effort !== null || budget !== null || isEnabled);
}

/**
 * Returns `thinking`, and the effort for `output_config`, in the model's form. Both are left to the model if the
 * request doesn't mention reasoning, or if the output limit is too small for it.
 */
export function thinkingFields(
  request: Readonly<Record<string, unknown>>,
  maxTokens: number,
  model: string,
): { thinking?: JsonObject; effort?: string } {
  const { effort, budget, isExcluded } = reasoningOf(request);
  const takesBudget = takesThinkingBudget(model);
  if (effort === "none" && !takesBudget) return { thinking: { type: "disabled" } };
  if (!isReasoningRequested(request)) return {};
  if (!takesBudget) {
    const own = effort ?? (budget === null ? null : effortOf(budget, maxTokens));
    const display = isExcluded ? "omitted" : "summarized";
    return {
      thinking: { type: "adaptive", display },
      ...(own !== null && { effort: own === "minimal" ? "low" : own }),
    };
  }
  const wished = budget ?? Math.floor(maxTokens * (SHARES[effort ?? "medium"] ?? 0.5));
  const budget_tokens = Math.min(Math.max(wished, MIN_BUDGET), maxTokens - 1);
  return budget_tokens < MIN_BUDGET ? {} : { thinking: { type: "enabled", budget_tokens } };
}
