import { asObject, type JsonObject } from "../../platform/json-values";
import type { ChatUsage } from "./contracts/chat-result-contract";

/** The highest count of tokens or uses that an upstream can report; higher ones are no counts. */
export const MOST_COUNTED = 2_147_483_647;

/** Returns a token count, or null for anything else. */
export const readCount = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MOST_COUNTED ? value : null;

/** Reads the token counts of chat completions; null when any is missing, so that it isn't mistaken for zero. */
export function readChatUsage(value: unknown): ChatUsage | null {
  const usage = asObject(value);
  return usage && toUsage(usage, "prompt_tokens", "completion_tokens");
}

/** Reads the token counts of a Responses object's `usage`; null when any is missing. */
export function readResponseUsage(value: unknown): ChatUsage | null {
  const usage = asObject(value);
  return usage && toUsage(usage, "input_tokens", "output_tokens");
}

/** Fields of usage that have another name in the canonical form, or that Signalbox sets. */
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
  const completion =
    readCount(usage[output]) ?? (total !== null && prompt !== null && total >= prompt ? total - prompt : null);
  if (prompt === null || completion === null) return null;
  // Some upstreams report cached tokens beside the totals instead of in their details.
  const cached = readCount(usage["cached_tokens"]) ?? readCount(usage["prompt_cache_hit_tokens"]) ?? 0;
  const [inputDetails, outputDetails] = [input, output].map((name) => asObject(usage[`${name}_details`]));
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
      reasoning_tokens: readCount(outputDetails?.["reasoning_tokens"]) ?? 0,
    },
  };
}

/**
 * Tokens written to and read from the cache are part of the prompt in chat completions, and beside it in Messages and Converse. Returns
 * null when all of them together are no token count.
 */
export function toUsageWithCache(tokens: {
  input: number;
  output: number;
  read: number;
  written: number;
  /** Those of `written` that are cached for an hour. */
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
