import { asObject, asObjects } from "../../../platform/json-values";
import type { ChatUsage } from "../contracts/chat-result-contract";
import { readCount, toUsageWithCache } from "../read-usage";

/** Reads Converse's token counts; null when one is missing, so that it isn't read as zero. */
export function readConverseUsage(value: unknown): ChatUsage | null {
  const usage = asObject(value);
  const [input, output] = [readCount(usage?.["inputTokens"]), readCount(usage?.["outputTokens"])];
  if (!usage || input === null || output === null) return null;
  const read = readCount(usage["cacheReadInputTokens"]) ?? 0;
  const written = readCount(usage["cacheWriteInputTokens"]) ?? 0;
  const writtenForAnHour = asObjects(usage["cacheDetails"])
    .filter(({ ttl }) => ttl === "1h")
    .reduce((sum, { inputTokens }) => sum + (readCount(inputTokens) ?? 0), 0);
  return toUsageWithCache({ input, output, read, written, writtenForAnHour, reasoning: 0 });
}
