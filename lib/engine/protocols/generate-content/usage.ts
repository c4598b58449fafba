import { asObject, asObjects, type JsonObject } from "../../../platform/json-values";
import type { ChatUsage } from "../contracts/chat-result-contract";
import { readChatUsage } from "../read-usage";

/**
 * Reads `usageMetadata`; null without the prompt's tokens. Thoughts are part of the completion, and results of Google's
 * own tools part of the prompt. The upstream omits counts of zero.
 */
export function readUsageMetadata(value: unknown): ChatUsage | null {
  const usage = asObject(value);
  if (usage?.["promptTokenCount"] === undefined) return null;
  const count = (name: string) => (typeof usage[name] === "number" ? usage[name] : 0);
  return readChatUsage({
    prompt_tokens: count("promptTokenCount") + count("toolUsePromptTokenCount"),
    completion_tokens: count("candidatesTokenCount") + count("thoughtsTokenCount"),
    ...(usage["totalTokenCount"] !== undefined && { total_tokens: usage["totalTokenCount"] }),
    prompt_tokens_details: {
      cached_tokens: count("cachedContentTokenCount"),
      ...mediaTokens(usage["promptTokensDetails"]),
    },
    completion_tokens_details: {
      reasoning_tokens: count("thoughtsTokenCount"),
      ...mediaTokens(usage["candidatesTokensDetails"]),
    },
  });
}

const MEDIA: Readonly<Record<string, string>> = { AUDIO: "audio_tokens", IMAGE: "image_tokens", VIDEO: "video_tokens" };

const mediaTokens = (details: unknown): JsonObject =>
  Object.fromEntries(
    asObjects(details).flatMap(({ modality, tokenCount }): [string, unknown][] => {
      const name = MEDIA[String(modality)];
      return name !== undefined && typeof tokenCount === "number" ? [[name, tokenCount]] : [];
    }),
  );
