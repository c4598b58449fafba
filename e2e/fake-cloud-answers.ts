import { randomUUID } from "node:crypto";
import { binaryEvent } from "../lib/testing/bedrock-upstream";
import type { FakeAnswer, FakeCall } from "./fake-provider-answers";

/**
 * Responses of the fake provider in Gemini's generateContent and Bedrock's Converse, written from the public API
 * documentation.
 */

const textOf = ({ text }: FakeAnswer): string => (typeof text === "string" ? text : [...(text ?? [])].join(""));
const counts = ({ usage }: FakeAnswer) => ({ input: 7, output: 5, ...usage });
const argumentsOf = (call: { arguments: string }) => JSON.parse(call.arguments) as Record<string, unknown>;

const parts = (answer: FakeAnswer): object[] =>
  answer.toolCalls?.map((call) => ({ functionCall: { name: call.name, args: argumentsOf(call) } })) ?? [
    { text: textOf(answer) },
  ];

const generated = (answer: FakeAnswer, model: string, given: readonly object[], finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: "model", parts: given }, ...(finishReason && { finishReason }) }],
  modelVersion: model,
  responseId: randomUUID(),
  usageMetadata: {
    promptTokenCount: counts(answer).input,
    candidatesTokenCount: counts(answer).output,
    totalTokenCount: counts(answer).input + counts(answer).output,
  },
});

export const wholeGenerated = (answer: FakeAnswer, model: string): object =>
  generated(answer, model, parts(answer), answer.isCutShort ? "MAX_TOKENS" : "STOP");

export function* generatedEvents(answer: FakeAnswer, model: string): Generator<string> {
  const encode = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
  for (const part of parts(answer)) yield encode(generated(answer, model, [part]));
  yield encode(generated(answer, model, [{ text: "" }], answer.isCutShort ? "MAX_TOKENS" : "STOP"));
}

const stopReason = ({ toolCalls, isCutShort }: FakeAnswer) =>
  isCutShort ? "max_tokens" : toolCalls ? "tool_use" : "end_turn";
const converseUsage = (answer: FakeAnswer) => {
  const { input, output } = counts(answer);
  return {
    usage: { inputTokens: input, outputTokens: output, totalTokens: input + output },
    metrics: { latencyMs: 1 },
  };
};
const toolUseId = ({ id }: FakeCall, index: number) => id ?? `tooluse_fake_${index}`;

export const wholeConverse = (answer: FakeAnswer): object => ({
  output: {
    message: {
      role: "assistant",
      content: answer.toolCalls?.map((call, index) => ({
        toolUse: { toolUseId: toolUseId(call, index), name: call.name, input: argumentsOf(call) },
      })) ?? [{ text: textOf(answer) }],
    },
  },
  stopReason: stopReason(answer),
  ...converseUsage(answer),
});

export function* converseEvents(answer: FakeAnswer): Generator<Uint8Array> {
  yield binaryEvent({ messageStart: { role: "assistant" } });
  const calls = answer.toolCalls ?? [];
  if (calls.length === 0)
    yield binaryEvent({ contentBlockDelta: { contentBlockIndex: 0, delta: { text: textOf(answer) } } });
  for (const [contentBlockIndex, call] of calls.entries()) {
    const toolUse = { toolUseId: toolUseId(call, contentBlockIndex), name: call.name };
    yield binaryEvent({ contentBlockStart: { contentBlockIndex, start: { toolUse } } });
    yield binaryEvent({ contentBlockDelta: { contentBlockIndex, delta: { toolUse: { input: call.arguments } } } });
  }
  for (const contentBlockIndex of calls.length === 0 ? [0] : calls.keys())
    yield binaryEvent({ contentBlockStop: { contentBlockIndex } });
  yield binaryEvent({ messageStop: { stopReason: stopReason(answer) } });
  yield binaryEvent({ metadata: converseUsage(answer) });
}
