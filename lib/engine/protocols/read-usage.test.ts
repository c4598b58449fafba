import { expect, it } from "vitest";
import { readConverseUsage } from "./converse/read-usage";
import { readUsageMetadata } from "./generate-content/usage";
import { mergeUsage, readMessageUsage } from "./messages/read-usage";
import { laterUsage, MOST_COUNTED, readChatUsage, readResponseUsage, usageOfChat } from "./read-usage";

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

const counts = { prompt_tokens: 10, completion_tokens: 5 };
const choice = { index: 0, delta: {}, finish_reason: "stop" };

it.each<[string, object]>([
  ["usage", { choices: [], usage: counts }],
  ["usage, with the names of Responses", { choices: [], usage: { input_tokens: 10, output_tokens: 5 } }],
  ["choices[0].usage", { choices: [{ ...choice, usage: counts }] }],
  ["choices[0].usage beside a usage that is null", { usage: null, choices: [{ ...choice, usage: counts }] }],
  ["usage of the second choice", { choices: [choice, { ...choice, index: 1, usage: counts }] }],
  ["choices[0].delta.usage", { choices: [{ ...choice, delta: { usage: counts } }] }],
  ["choices[0].message.usage", { choices: [{ index: 0, message: { usage: counts } }] }],
  ["x_groq.usage", { choices: [choice], x_groq: { id: "req_1", usage: counts } }],
  ["timings of llama.cpp", { choices: [choice], timings: { prompt_n: 4, cache_n: 6, predicted_n: 5 } }],
  ["counts of Ollama", { choices: [choice], prompt_eval_count: 10, eval_count: 5 }],
  ["counts of the llama.cpp server", { choices: [choice], tokens_evaluated: 10, tokens_predicted: 5 }],
  [
    "metrics of Bedrock",
    { choices: [choice], "amazon-bedrock-invocationMetrics": { inputTokenCount: 10, outputTokenCount: 5 } },
  ],
])("usage of a chat completion is read from %s", (_place, chunk) =>
  expect(usageOfChat(chunk as Record<string, unknown>)).toMatchObject({ ...counts, total_tokens: 15 }),
);

it("usage of a Responses object is read under the names of chat completions", () =>
  expect(readResponseUsage(counts)).toMatchObject(counts));

it("reasoning that only the total counts is part of the completion", () => {
  const usage = readChatUsage({
    prompt_tokens: 32,
    completion_tokens: 9,
    total_tokens: 135,
    completion_tokens_details: { reasoning_tokens: 94 },
  });
  expect(usage).toMatchObject({ completion_tokens: 103, total_tokens: 135 });
});

const usage = (prompt_tokens: number, completion_tokens: number) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
});
it.each([
  ["no tokens after some", usage(10, 5), usage(0, 0), 15],
  ["no completion after one", usage(10, 5), usage(10, 0), 15],
  ["more tokens", usage(10, 1), usage(10, 5), 15],
  ["a prompt before its completion", usage(10, 0), usage(10, 5), 15],
  ["none after some", usage(10, 5), null, 15],
  ["the first", null, usage(10, 5), 15],
])("of two usages of a stream, the real one counts: %s", (_name, before, later, total) =>
  expect(laterUsage(before, later)?.total_tokens).toBe(total),
);

it("a count of 0 in a later event of Messages replaces no real one", () =>
  expect(mergeUsage({ input_tokens: 10, output_tokens: 1 }, { input_tokens: 0, output_tokens: 5 })).toEqual({
    input_tokens: 10,
    output_tokens: 5,
  }));
