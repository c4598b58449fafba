import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../engine/protocols/contracts/chat-messages-contract";
import type { FunctionToolCall } from "../../engine/protocols/contracts/chat-messages-contract";
import type { ChatRequest } from "../../engine/protocols/upstream-request";
import type { ChatCompletion } from "../../engine/protocols/contracts/chat-result-contract";
import { accumulate, newAccumulated } from "../../engine/protocols/accumulate";
import { eachChunk } from "../../engine/protocols/chunk-batches";
import { readResponse } from "../../testing/read-response";
import { sandbox } from "./sandbox";
import { growth } from "../../testing/processor-time";

const user = (content: string): ChatMessage => ({ role: "user", content });
const request = (fields: Partial<ChatRequest> = {}): ChatRequest => ({
  model: "sandbox/echo",
  messages: [user("hello big world")],
  stream: false,
  ...fields,
});
const ask = (fields: Partial<ChatRequest> = {}) => sandbox(request(fields), new AbortController().signal);
const whole = async (fields: Partial<ChatRequest> = {}) => (await (await ask(fields)).json()) as ChatCompletion;

async function streamed(fields: Partial<ChatRequest> = {}) {
  const sum = newAccumulated();
  const response = await ask({ ...fields, stream: true, stream_options: { include_usage: true } });
  for await (const chunk of eachChunk(readResponse(response, "chat_completions"))) accumulate(sum, chunk);
  return sum;
}

async function drain(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}

it.each([
  [" ", "stop"],
  ["a ", "length"],
])("answers megabytes of %j in linear time", async (unit, finish_reason) => {
  const answer = (size: number) => whole({ messages: [user(unit.repeat(size))] });
  expect((await answer(1_000_000)).choices[0]?.finish_reason).toBe(finish_reason);
  expect(await growth(1_000_000, answer)).toBeLessThan(10);
});

const tool = {
  type: "function" as const,
  function: {
    name: "weather",
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer", minimum: 2 } },
      required: ["city", "days"],
    },
  },
};

describe("sandbox/echo", () => {
  it("echoes the last user message and counts words as tokens", async () => {
    const { choices, usage } = await whole({
      messages: [user("first"), { role: "assistant", content: "one" }, user("second try")],
    });
    expect(choices[0]).toMatchObject({ message: { content: "You said: second try" }, finish_reason: "stop" });
    expect(usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 4, total_tokens: 8 });
  });

  it("answers the same complete and streamed", async () => {
    const { choices, usage } = await whole();
    const sum = await streamed();
    expect(sum.content).toBe(choices[0]?.message.content);
    expect(sum.usage).toEqual(usage);
    expect(sum.finishReason).toBe("stop");
  });

  it.each([
    [2, "You said:", "length"],
    [5, "You said: hello big world", "stop"],
    [0, "", "length"],
    [-1, "", "length"],
  ])("max_tokens %i gives %j, %s", async (max_tokens, content, finish) => {
    expect(await streamed({ max_tokens })).toMatchObject({ content, finishReason: finish });
  });

  it("calls the function required by tool_choice, with arguments that match its schema", async () => {
    const { choices } = await whole({
      tools: [tool],
      tool_choice: { type: "function", function: { name: "weather" } },
    });
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    expect(
      JSON.parse((choices[0]?.message.tool_calls?.[0] as FunctionToolCall | undefined)?.function.arguments ?? ""),
    ).toEqual({
      city: "hello big world",
      days: 2,
    });
    expect((await streamed({ tools: [tool], tool_choice: "required" })).toolCalls).toEqual(
      choices[0]?.message.tool_calls,
    );
  });

  it.each([
    ["What's the weather like?", {}, "tool_calls"],
    ["Weather, please", { tool_choice: "auto" }, "tool_calls"],
    ["Weather, please", { tool_choice: "none" }, "stop"],
    ["What can you get me?", {}, "stop"],
  ] as const)("%j with %j finishes by %s", async (text, fields, finish) => {
    const tools = [{ ...tool, function: { ...tool.function, name: "get_weather" } }];
    const { choices } = await whole({ messages: [user(text)], tools, ...fields });
    expect(choices[0]?.finish_reason).toBe(finish);
    const answered = await whole({
      messages: [user(text), { role: "tool", tool_call_id: "c", content: "sunny" }],
      tools,
    });
    expect(answered.choices[0]?.finish_reason).toBe("stop");
  });

  it("answers every choice, whole and streamed", async () => {
    const { choices, usage } = await whole({ n: 2 });
    expect(choices.map(({ index, message }) => [index, message.content])).toEqual([
      [0, "You said: hello big world"],
      [1, "You said: hello big world"],
    ]);
    const sum = await streamed({ n: 2 });
    expect(sum.others.get(1)).toMatchObject({ content: sum.content, finishReason: "stop" });
    expect(sum.usage).toEqual(usage);
    expect(usage?.completion_tokens).toBe(10);
  });

  it("answers JSON when requested", async () => {
    const { content } = await streamed({
      response_format: {
        type: "json_schema",
        json_schema: { name: "n", schema: { type: "object", properties: { ok: { type: "boolean" } } } },
      },
    });
    expect(JSON.parse(content)).toEqual({ ok: true });
  });
});

describe("the other sandbox models", () => {
  it("sandbox/reasoner reasons first", async () => {
    const sum = await streamed({ model: "sandbox/reasoner" });
    expect(sum).toMatchObject({
      reasoning: "The user wrote 3 words. I will repeat them.",
      content: "You said: hello big world",
    });
    expect(sum.usage?.completion_tokens_details?.reasoning_tokens).toBe(9);
    expect((await whole({ model: "sandbox/reasoner" })).choices[0]?.message.reasoning).toBe(sum.reasoning);
  });

  it("sandbox/unavailable answers 503", async () => {
    expect((await ask({ model: "sandbox/unavailable" })).status).toBe(503);
  });

  it("an aborted request ends the stream", async () => {
    const abort = new AbortController();
    const chunks = readResponse(
      await sandbox(request({ stream: true, messages: [user("word ".repeat(1000))] }), abort.signal),
      "chat_completions",
    );
    await chunks.next();
    abort.abort();
    await expect(drain(chunks)).rejects.toThrow("abort");
  });
});
