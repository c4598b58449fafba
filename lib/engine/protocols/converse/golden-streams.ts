/** Answers of Converse and ConverseStream as the public documentation shows them. */

const start = { messageStart: { role: "assistant", p: "abcdefghij" } };
const delta = (contentBlockIndex: number, given: object) => ({
  contentBlockDelta: { contentBlockIndex, delta: given, p: "abc" },
});
const stop = (contentBlockIndex: number) => ({ contentBlockStop: { contentBlockIndex, p: "ab" } });
const finish = (stopReason: string, usage: object, more: object = {}) => [
  { messageStop: { stopReason, p: "abcd" } },
  { metadata: { usage, metrics: { latencyMs: 421 }, ...more, p: "abcdef" } },
];
const call = (contentBlockIndex: number, toolUseId: string, name: string, ...pieces: string[]) => [
  { contentBlockStart: { contentBlockIndex, start: { toolUse: { toolUseId, name } }, p: "a" } },
  ...pieces.map((input) => delta(contentBlockIndex, { toolUse: { input } })),
  stop(contentBlockIndex),
];
const usage = (inputTokens: number, outputTokens: number, more: object = {}) => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
  ...more,
});

export const TEXT = [
  start,
  delta(0, { text: "Hé" }),
  delta(0, { text: "llo 😀" }),
  stop(0),
  ...finish("end_turn", usage(12, 5), { serviceTier: { type: "flex" } }),
];

export const TOOLS = [
  start,
  delta(0, { text: "Let me look." }),
  stop(0),
  ...call(1, "tooluse_1", "weather", "", '{"city":', ' "Bern"}'),
  ...call(2, "tooluse_2", "time"),
  ...finish("tool_use", usage(200, 40, { cacheReadInputTokens: 1000, cacheWriteInputTokens: 300 })),
];

export const REASONING = [
  start,
  delta(0, { reasoningContent: { text: "First, " } }),
  delta(0, { reasoningContent: { text: "then." } }),
  delta(0, { reasoningContent: { signature: "c2VhbA==" } }),
  stop(0),
  delta(1, { reasoningContent: { redactedContent: "aGlkZGVu" } }),
  stop(1),
  delta(2, { text: "Done" }),
  stop(2),
  ...finish("end_turn", usage(30, 20)),
];

export const STREAMS = { TEXT, TOOLS, REASONING };

/** Whole answers with the content of the streams of the same name. */
export const WHOLE = {
  TEXT: answer([{ text: "Héllo 😀" }], "end_turn", usage(12, 5), { serviceTier: { type: "flex" } }),
  TOOLS: answer(
    [
      { text: "Let me look." },
      { toolUse: { toolUseId: "tooluse_1", name: "weather", input: { city: "Bern" } } },
      { toolUse: { toolUseId: "tooluse_2", name: "time", input: {} } },
    ],
    "tool_use",
    usage(200, 40, { cacheReadInputTokens: 1000, cacheWriteInputTokens: 300 }),
  ),
  REASONING: answer(
    [
      { reasoningContent: { reasoningText: { text: "First, then.", signature: "c2VhbA==" } } },
      { reasoningContent: { redactedContent: "aGlkZGVu" } },
      { text: "Done" },
    ],
    "end_turn",
    usage(30, 20),
  ),
};

function answer(content: object[], stopReason: string, given: object, more: object = {}) {
  return {
    output: { message: { role: "assistant", content } },
    stopReason,
    usage: given,
    metrics: { latencyMs: 421 },
    ...more,
  };
}
