import { asObject, asObjects } from "../broken-answer";
import type { ChatUsage } from "../contracts/chat-result-contract";
import { readCount } from "../read-usage";

/**
 * Reads Converse's token counts; null when one is missing, so that it isn't mistaken for zero. Tokens written to and read
 * from the cache are part of the prompt in chat completions, and beside it in Converse.
 */
export function readConverseUsage(value: unknown): ChatUsage | null {
  const usage = asObject(value);
  const [input, output] = [readCount(usage?.["inputTokens"]), readCount(usage?.["outputTokens"])];
  if (!usage || input === null || output === null) return null;
  const read = readCount(usage["cacheReadInputTokens"]) ?? 0;
  const written = readCount(usage["cacheWriteInputTokens"]) ?? 0;
  const writtenForAnHour = asObjects(usage["cacheDetails"])
    .filter(({ ttl }) => ttl === "1h")
    .reduce((sum, { inputTokens }) => sum + (readCount(inputTokens) ?? 0), 0);
  const prompt = input + read + written;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: {
      cached_tokens: read,
      ...(written > 0 && { cache_write_tokens: written }),
      ...(writtenForAnHour > 0 && { cache_write_1h_tokens: writtenForAnHour }),
    },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}
