import { describe, expect, it } from "vitest";
import { accumulate, newAccumulated } from "../accumulate";
import type { ResponseChunk } from "../response-chunk";
import { BrokenResponse } from "../broken-response";
import { MessagesUpstreamReader } from "./upstream-reader";
import { PLAIN, REFUSAL, SEARCH, STREAMS, THINKING, TOOLS, UNKNOWN, WHOLE } from "../../../testing/golden-messages";
import { toThinkingBlocks } from "./thinking-details";

const streamed = (events: readonly object[]): ResponseChunk[] => {
  const reader = new MessagesUpstreamReader();
  return [...events.flatMap((event) => reader.read(event)), ...reader.end()];
};
const sumOf = (chunks: readonly ResponseChunk[]) => {
  const sum = newAccumulated();
  for (const chunk of chunks) accumulate(sum, chunk);
  return sum;
};
const read = (events: readonly object[]) => sumOf(streamed(events));
const whole = (message: object) => sumOf(new MessagesUpstreamReader().readWhole(message));

function brokenBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("a stream of Messages", () => {
  it("is text", () => {
    expect(read(PLAIN)).toMatchObject({
      upstreamId: "msg_01",
      content: "Hello!",
      finishReason: "stop",
      nativeFinishReason: "end_turn",
      usage: { prompt_tokens: 25, completion_tokens: 15, total_tokens: 40 },
    });
  });

  it("that breaks off has the usage so far", () => {
    const reader = new MessagesUpstreamReader();
    const chunks = PLAIN.slice(0, 4).flatMap((event) => reader.read(event));
    expect(sumOf(chunks)).toMatchObject({ usage: null, usageSoFar: { prompt_tokens: 25 } });
  });

  it("calls tools, also without an input", () => {
    expect(read(TOOLS)).toMatchObject({
      content: "Okay, let me check",
      finishReason: "tool_calls",
      toolCalls: [
        { id: "toolu_01", function: { name: "get_weather", arguments: '{"location": "San Francisco, CA"}' } },
        { id: "toolu_02", function: { name: "get_time", arguments: "{}" } },
      ],
    });
  });

  it("thinks, and its details lead back to the same blocks", () => {
    const { reasoning, content, lists, usage } = read(THINKING);
    expect({ reasoning, content }).toEqual({
      reasoning: "Let me solve this step by step.",
      content: "27 * 453 = 12,231",
    });
    expect(toThinkingBlocks(lists.reasoning_details)).toEqual([
      { type: "thinking", thinking: reasoning, signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk" },
      { type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIw" },
    ]);
    expect(usage).toEqual({
      prompt_tokens: 1230,
      completion_tokens: 60,
      total_tokens: 1290,
      prompt_tokens_details: { cached_tokens: 1000, cache_write_tokens: 200 },
      completion_tokens_details: { reasoning_tokens: 40 },
    });
  });

  it("cites what the upstream's own search found", () => {
    const { content, lists, toolCalls, usage } = read(SEARCH);
    expect(content).toBe("I'll check. It is 18°C.");
    expect(toolCalls).toEqual([]);
    const place = { start_index: 12, end_index: 23, content: "18°C" };
    expect(lists.annotations).toEqual([
      { type: "url_citation", url_citation: { url: "https://a.example/weather", title: "Weather", ...place } },
    ]);
    expect(usage).toMatchObject({ prompt_tokens: 10_682, server_tool_use: { web_search_requests: 1 } });
  });

  it("is refused", () => {
    expect(read(REFUSAL)).toMatchObject({
      content: "I",
      refusal: "It asks for something dangerous.",
      finishReason: "content_filter",
      nativeFinishReason: "refusal",
    });
  });

  it("may have events, blocks and deltas of the future", () => {
    expect(read(UNKNOWN)).toMatchObject({
      content: "ok",
      finishReason: "stop",
      nativeFinishReason: "brand_new_reason",
    });
  });

  it.each(Object.entries(STREAMS))("%s passes every event", (_name, events) => {
    expect(streamed(events).map(({ messageEvent }) => messageEvent)).toEqual(events);
  });

  it.each([
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["stop_sequence", "stop"],
    ["pause_turn", "stop"],
  ])("%s is %s", (stop_reason, finish_reason) => {
    expect(whole({ ...WHOLE, stop_reason }).finishReason).toBe(finish_reason);
  });
});

describe("the beginning of a stream", () => {
  it("isn't an answer before its first block, so that another endpoint can be tried", () => {
    const reader = new MessagesUpstreamReader();
    expect(reader.read(PLAIN[0])).toEqual([]);
    expect(reader.read({ type: "ping" })).toEqual([]);
    expect(reader.read(PLAIN[1]).map(({ messageEvent }) => messageEvent?.type)).toEqual([
      "message_start",
      "ping",
      "content_block_start",
    ]);
  });
});

describe("a message that isn't streamed", () => {
  it("has what a stream has, with thinking in one piece", () => {
    const { content, reasoning, toolCalls, lists, usage, serviceTier } = whole(WHOLE);
    expect({ content, reasoning, serviceTier }).toEqual({
      content: "It is 18°C.",
      reasoning: "Let me see.",
      serviceTier: "default",
    });
    expect(toolCalls.map((call) => call.function)).toEqual([
      { name: "get_weather", arguments: '{"location":"Rome"}' },
      { name: "get_time", arguments: "{}" },
    ]);
    const format = "anthropic-claude-v1";
    const [thinking, redacted] = WHOLE.content;
    expect(lists.reasoning_details).toEqual([
      { type: "reasoning.text", text: "Let me see.", signature: thinking?.signature, format, index: 0 },
      { type: "reasoning.encrypted", data: redacted?.data, format, index: 1 },
    ]);
    expect(usage?.prompt_tokens_details).toEqual({
      cached_tokens: 1000,
      cache_write_tokens: 200,
      cache_write_1h_tokens: 150,
    });
  });

  it("leads back to the message it was", () => {
    const events = new MessagesUpstreamReader().readWhole(WHOLE).map(({ messageEvent }) => messageEvent);
    expect(events.at(0)).toMatchObject({ type: "message_start", message: { id: "msg_01", content: [] } });
    expect(events.at(-1)).toEqual({ type: "message_stop" });
    expect(events.filter((event) => event?.type === "content_block_stop")).toHaveLength(WHOLE.content.length);
  });
});

describe("what isn't a message", () => {
  const error = (type: string) => ({ type: "error", error: { type, message: "Oh" }, request_id: "req_1" });

  it.each([
    ["overloaded_error", 529],
    ["rate_limit_error", 429],
    ["api_error", 500],
    ["brand_new_error", null],
  ])("an event of %s has its status", (type, status) => {
    for (const events of [[error(type)], [...PLAIN.slice(0, 4), error(type)]])
      expect(brokenBy(() => read(events))).toMatchObject({ message: "Oh", status, isReported: true });
    expect(brokenBy(() => whole(error(type)))).toMatchObject({ message: "Oh", status, isReported: true });
  });

  it.each([
    ["a stream that is cut off", PLAIN.slice(0, 4)],
    ["no event", [{ choices: [] }]],
    ["null", [null as unknown as object]],
  ])("%s is broken", (_name, events) => {
    expect(() => read(events)).toThrow(BrokenResponse);
  });

  it.each([{}, [], null, "x", { type: "message" }])("%j is broken", (body) => {
    expect(() => new MessagesUpstreamReader().readWhole(body)).toThrow(BrokenResponse);
  });
});
