import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import type { Draft } from "../field-rules";
import { GENERATION_CONFIG } from "./from-chat";
import { NO_SIGNATURE } from "./signatures";

/** Thinking budgets for models before Gemini 3, which have no levels; as in Google's own Chat Completions API. */
const BUDGETS: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};
const LEVELS: Readonly<Record<string, string>> = {
  minimal: "MINIMAL",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  xhigh: "HIGH",
  max: "HIGH",
};

/** True for models before Gemini 3: they know neither levels of thinking nor resolutions of single parts. */
const isEarlier = (model: string): boolean => /(?:^|\/)(?:gemini-[12](?:\.|-)|gemma)/.test(model);

/** Returns the path of a model, which may be a resource of another kind, such as `tunedModels/mine`. */
export const modelPath = (model: string): string =>
  `/${resourceName(model).split("/").map(encodeURIComponent).join("/").replace("%40", "@")}`;

export const resourceName = (model: string): string => (model.includes("/") ? model : `models/${model}`);

export const generateContentPath = (model: string, isStream: boolean): string =>
  `${modelPath(model)}:${isStream ? "streamGenerateContent?alt=sse" : "generateContent"}`;

/** Builds the body of a `generateContent` request from a converted one, for the model that it is sent to. */
export function generateContentBody(draft: Draft, model: string): JsonObject {
  const { contents, systemInstruction, tools, toolConfig, serviceTier, reasoning, generationConfig } = draft;
  const earlier = isEarlier(model);
  const thinkingConfig = thinking(asObject(reasoning), earlier);
  const config = {
    ...asObject(generationConfig),
    ...configOf(draft),
    ...(thinkingConfig && { thinkingConfig }),
  };
  return {
    contents: asObjects(contents).map((content) => (earlier ? withoutResolution(content) : withSignature(content))),
    ...(systemInstruction !== undefined && { systemInstruction }),
    ...(tools !== undefined && { tools }),
    ...(toolConfig !== undefined && { toolConfig }),
    ...(serviceTier !== undefined && { serviceTier }),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  };
}

/** Builds the configuration. Log probabilities of alternatives require log probabilities of the answer. */
function configOf(draft: Draft): JsonObject {
  const config: JsonObject = {};
  for (const [name, target] of Object.entries(GENERATION_CONFIG))
    if (draft[name] !== undefined && (name !== "top_logprobs" || draft["logprobs"] !== undefined))
      config[target] = draft[name];
  return config;
}

function thinking(reasoning: JsonObject | null, earlier: boolean): JsonObject | null {
  if (!reasoning) return null;
  const { enabled, max_tokens } = reasoning;
  const effort = asText(reasoning["effort"]) ?? (enabled === false ? "none" : null);
  if (effort === "none") return { thinkingBudget: 0 };
  if (typeof max_tokens === "number") return { thinkingBudget: max_tokens, includeThoughts: true };
  if (effort === null) return enabled === true || asText(reasoning["summary"]) ? { includeThoughts: true } : null;
  return {
    ...(earlier ? { thinkingBudget: BUDGETS[effort] } : { thinkingLevel: LEVELS[effort] }),
    includeThoughts: true,
  };
}

const withoutResolution = (content: JsonObject): JsonObject => ({
  ...content,
  parts: asObjects(content["parts"]).map(({ mediaResolution: _, ...part }) => part),
});

/** Adds a placeholder signature to the first call of a turn without any. */
function withSignature(content: JsonObject): JsonObject {
  const parts = asObjects(content["parts"]);
  const first = parts.findIndex((part) => "functionCall" in part);
  if (first === -1 || parts.some((part) => "functionCall" in part && "thoughtSignature" in part)) return content;
  return { ...content, parts: parts.with(first, { ...parts[first], thoughtSignature: NO_SIGNATURE }) };
}
