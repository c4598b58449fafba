import { asObject, type JsonObject } from "../../../platform/json-values";
import type { ChatUsage } from "../contracts/chat-result-contract";
import { readCount, toUsageWithCache } from "../read-usage";

/** Merges the usage of a stream's events. Counts are totals; null, or 0 after a larger count, is ignored. */
export const mergeUsage = (before: JsonObject, usage: unknown): JsonObject => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(asObject(usage) ?? {}).filter(([name, value]) => value !== null && !(value === 0 && before[name])),
  ),
});

/** Reads the token counts of a message that is still being written; null before the prompt has been counted. */
export const readUsageSoFar = (usage: JsonObject): ChatUsage | null => readMessageUsage({ output_tokens: 0, ...usage });

/** Reads the token counts of a message; null when one is missing, so that it isn't read as zero. */
export function readMessageUsage(usage: JsonObject): ChatUsage | null {
  const [input, output] = [readCount(usage["input_tokens"]), readCount(usage["output_tokens"])];
  if (input === null || output === null) return null;
  const written = readCount(usage["cache_creation_input_tokens"]) ?? 0;
  const read = readCount(usage["cache_read_input_tokens"]) ?? 0;
  const writtenForAnHour = readCount(asObject(usage["cache_creation"])?.["ephemeral_1h_input_tokens"]) ?? 0;
  const reasoning = readCount(asObject(usage["output_tokens_details"])?.["thinking_tokens"]) ?? 0;
  const counts = toUsageWithCache({ input, output, read, written, writtenForAnHour, reasoning });
  return (
    counts && {
      ...counts,
      ...(asObject(usage["server_tool_use"]) && { server_tool_use: usage["server_tool_use"] }),
    }
  );
}
