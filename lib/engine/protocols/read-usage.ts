import { asObject, asObjects, type JsonObject } from "../../platform/json-values";
import type { ChatUsage } from "./contracts/chat-result-contract";

/** The highest valid count of tokens or uses. */
export const MOST_COUNTED = 2_147_483_647;

/** Returns a token count, or null for anything else. */
export const readCount = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MOST_COUNTED ? value : null;

const CHAT_NAMES = ["prompt_tokens", "completion_tokens"] as const;
const RESPONSE_NAMES = ["input_tokens", "output_tokens"] as const;

/**
 * Reads the token counts of chat completions, also under the names of Responses; null when any is missing, so that it
 * isn't read as zero.
 */
export function readChatUsage(value: unknown): ChatUsage | null {
  const usage = asObject(value);
  return usage && (toUsage(usage, ...CHAT_NAMES) ?? toUsage(usage, ...RESPONSE_NAMES));
}

/** Reads the token counts of a Responses object's `usage`, also under the names of chat completions; null when any is missing. */
export function readResponseUsage(value: unknown): ChatUsage | null {
  const usage = asObject(value);
  return usage && (toUsage(usage, ...RESPONSE_NAMES) ?? toUsage(usage, ...CHAT_NAMES));
}

/** Places of usage in a chunk, besides `usage` of the chunk and of a choice: Groq, llama.cpp, Ollama, Bedrock. */
const OTHER_PLACES: readonly ((chunk: JsonObject) => unknown)[] = [
  ({ x_groq }) => asObject(x_groq)?.["usage"],
  ({ timings }) => counted(timings, ["prompt_n", "cache_n"], "predicted_n", "cache_n"),
  (chunk) => counted(chunk, ["prompt_eval_count"], "eval_count"),
  (chunk) => counted(chunk, ["tokens_evaluated"], "tokens_predicted"),
  (chunk) =>
    counted(
      chunk["amazon-bedrock-invocationMetrics"],
      ["inputTokenCount", "cacheReadInputTokenCount", "cacheWriteInputTokenCount"],
      "outputTokenCount",
      "cacheReadInputTokenCount",
    ),
];

/** Reads the usage of a chat completion or chunk, wherever the upstream puts it. */
export function usageOfChat(chunk: JsonObject): ChatUsage | null {
  const usage = readChatUsage(chunk["usage"]);
  if (usage) return usage;
  for (const choice of asObjects(chunk["choices"]))
    for (const place of [choice, asObject(choice["delta"]), asObject(choice["message"])]) {
      const own = place && "usage" in place ? readChatUsage(place["usage"]) : null;
      if (own) return own;
    }
  for (const place of OTHER_PLACES) {
    const other = readChatUsage(place(chunk));
    if (other) return other;
  }
  return null;
}

/** Returns counts with other names as usage; the first of the prompt's names is required. */
function counted(
  value: unknown,
  prompt: readonly [string, ...string[]],
  completion: string,
  cached = "",
): JsonObject | null {
  const counts = asObject(value);
  const first = readCount(counts?.[prompt[0]]);
  if (!counts || first === null) return null;
  const prompt_tokens = prompt.slice(1).reduce((sum, name) => sum + (readCount(counts[name]) ?? 0), first);
  return { prompt_tokens, completion_tokens: counts[completion], cached_tokens: counts[cached] };
}

/** Returns the later of two usages, unless it reports 0 tokens after some, as the last chunk of some upstreams does. */
export function laterUsage(
  before: ChatUsage | null | undefined,
  usage: ChatUsage | null | undefined,
): ChatUsage | null {
  if (!before || !usage) return usage ?? before ?? null;
  const isLess = CHAT_NAMES.some((name) => usage[name] === 0 && before[name] > 0);
  return isLess ? before : usage;
}

/** Fields of usage with another canonical name, or that Signalbox sets. */
const OWN: ReadonlySet<string> = new Set([
  "input_tokens",
  "output_tokens",
  "input_tokens_details",
  "output_tokens_details",
  "cost",
  "cost_details",
  "is_byok",
]);

function toUsage(usage: JsonObject, input: string, output: string): ChatUsage | null {
  const total = readCount(usage["total_tokens"]);
  const prompt = readCount(usage[input]);
  const given =
    readCount(usage[output]) ?? (total !== null && prompt !== null && total >= prompt ? total - prompt : null);
  if (prompt === null || given === null) return null;
  // Some upstreams report cached tokens beside the totals instead of in their details.
  const cached = readCount(usage["cached_tokens"]) ?? readCount(usage["prompt_cache_hit_tokens"]) ?? 0;
  const [inputDetails, outputDetails] = [input, output].map((name) => asObject(usage[`${name}_details`]));
  // Some upstreams count reasoning in the total, but not in the completion.
  const reasoning = readCount(outputDetails?.["reasoning_tokens"]) ?? 0;
  const completion = total !== null && total - prompt - given === reasoning ? total - prompt : given;
  const rest: JsonObject = {};
  for (const name in usage) if (!OWN.has(name)) rest[name] = usage[name];
  return {
    ...rest,
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: total ?? prompt + completion,
    prompt_tokens_details: { ...inputDetails, cached_tokens: readCount(inputDetails?.["cached_tokens"]) ?? cached },
    completion_tokens_details: {
      ...outputDetails,
      reasoning_tokens: reasoning,
    },
  };
}

/**
 * Builds usage with cached tokens, which chat completions count as part of the prompt and Messages and Converse beside
 * it. Returns null when the sum isn't a token count.
 */
export function toUsageWithCache(tokens: {
  input: number;
  output: number;
  read: number;
  written: number;
  /** The part of `written` that is cached for an hour. */
  writtenForAnHour: number;
  reasoning: number;
}): ChatUsage | null {
  const prompt = readCount(tokens.input + tokens.read + tokens.written);
  if (prompt === null) return null;
  return {
    prompt_tokens: prompt,
    completion_tokens: tokens.output,
    total_tokens: prompt + tokens.output,
    prompt_tokens_details: {
      cached_tokens: tokens.read,
      ...(tokens.written > 0 && { cache_write_tokens: tokens.written }),
      ...(tokens.writtenForAnHour > 0 && { cache_write_1h_tokens: tokens.writtenForAnHour }),
    },
    completion_tokens_details: { reasoning_tokens: tokens.reasoning },
  };
}
