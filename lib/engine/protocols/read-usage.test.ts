import { expect, it } from "vitest";
import { readConverseUsage } from "./converse/read-usage";
import { readUsageMetadata } from "./generate-content/usage";
import { readMessageUsage } from "./messages/read-usage";
import { MOST_COUNTED, readChatUsage } from "./read-usage";

const most = MOST_COUNTED;

it.each([
  ["a chat completion", readChatUsage({ prompt_tokens: most, completion_tokens: 1 })],
  ["a message", readMessageUsage({ input_tokens: most - 1, cache_read_input_tokens: 1, output_tokens: 1 })],
  ["Converse", readConverseUsage({ inputTokens: most - 1, cacheWriteInputTokens: 1, outputTokens: 1 })],
  ["Gemini", readUsageMetadata({ promptTokenCount: most - 1, toolUsePromptTokenCount: 1, candidatesTokenCount: 1 })],
])("the highest prompt of %s is counted", (_name, usage) => expect(usage?.prompt_tokens).toBe(most));

it.each([
  ["a chat completion", readChatUsage({ prompt_tokens: most + 1, completion_tokens: 1 })],
  ["a negative one", readChatUsage({ prompt_tokens: -1, completion_tokens: 1 })],
  ["a message", readMessageUsage({ input_tokens: most, cache_read_input_tokens: most, output_tokens: 1 })],
  ["Converse", readConverseUsage({ inputTokens: most, cacheReadInputTokens: most, outputTokens: 1 })],
  ["Gemini", readUsageMetadata({ promptTokenCount: most, toolUsePromptTokenCount: 1, candidatesTokenCount: 1 })],
])("usage of %s that can't be recorded counts as not reported", (_name, usage) => expect(usage).toBeNull());
