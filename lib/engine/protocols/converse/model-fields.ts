import type { Draft } from "../field-rules";
import { asObject, type JsonObject } from "../../../platform/json-values";

/** Claude's smallest thinking budget in tokens, and the budgets of efforts. */
const LEAST_THINKING = 1024;
const THINKING: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 32_768,
};

/** Names of supported parameters, by setting of `inferenceConfig`. */
const PARAMETERS: Readonly<Record<string, string>> = {
  temperature: "temperature",
  topP: "top_p",
  stopSequences: "stop",
};

/** Adds the fields whose form depends on the model, and leaves out fields that the endpoint isn't known to support. */
export function withModelFields(
  { reasoning, ...draft }: Draft,
  model: string,
  supported: readonly string[] | null,
): JsonObject {
  const unsupported = (name: string | null) => name !== null && supported !== null && !supported.includes(name);
  const settings = Object.fromEntries(
    Object.entries(asObject(draft["inferenceConfig"]) ?? {}).filter(([name]) => !unsupported(PARAMETERS[name] ?? null)),
  );
  const { top_k, ...others } = asObject(draft["additionalModelRequestFields"]) ?? {};
  const additional = {
    ...others,
    ...(top_k !== undefined && !unsupported("top_k") && { top_k }),
    ...reasoningFields(asObject(reasoning) ?? {}, model, settings["maxTokens"]),
  };
  const { inferenceConfig: _i, additionalModelRequestFields: _a, ...rest } = draft;
  return {
    ...rest,
    ...(Object.keys(settings).length > 0 && { inferenceConfig: settings }),
    ...(Object.keys(additional).length > 0 && { additionalModelRequestFields: additional }),
  };
}

/** Returns the effort for a number of thinking tokens. */
const effortOf = (tokens: number): string =>
  ["low", "medium", "high"].find((effort) => tokens <= (THINKING[effort] ?? 0)) ?? "high";

/** Returns Claude's thinking budget, which must be smaller than the output limit, or another model's effort. */
function reasoningFields({ effort, max_tokens }: JsonObject, model: string, limit: unknown): JsonObject {
  if (effort === undefined && max_tokens === undefined) return {};
  if (effort === "none") return {};
  if (!/claude/i.test(model)) return { reasoning_effort: effort ?? effortOf(Number(max_tokens)) };
  const wanted = typeof max_tokens === "number" ? max_tokens : (THINKING[String(effort)] ?? LEAST_THINKING);
  const most = typeof limit === "number" ? limit - 1 : Infinity;
  const budget_tokens = Math.max(LEAST_THINKING, Math.min(wanted, most));
  return budget_tokens > most ? {} : { thinking: { type: "enabled", budget_tokens } };
}
