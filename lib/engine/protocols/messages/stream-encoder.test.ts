import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readResponse } from "../../../testing/read-response";
import type { UpstreamProtocol } from "../vocabulary";
import { STREAMS, WHOLE } from "../../../testing/golden-messages";
import { MessagesBody } from "../contracts/messages-request-contract";
import { Message, MessageStreamEvent } from "../contracts/messages-result-contract";
import { collect, relay } from "../observe";
import { SSE_DONE, sseEvent } from "../server-sent-events";
import { cases } from "../../../testing/random";
import { completeMessage, messagesStreamEncoder } from "./stream-encoder";

type Event = Record<string, unknown> & { type: string };

const { signal } = new AbortController();
const heading = { id: "gen-1", created: 1, model: "acme/1", isByok: false };
const report = () => Promise.resolve({ costUsd: 0.5, completedAt: 2 });
const request = MessagesBody.parse({ max_tokens: 9, messages: [{ role: "user", content: "hi" }] });

/** An upstream's stream that arrives in pieces of the lengths, the last one again and again. */
function streamOf(text: string, lengths: readonly number[]): Response {
  const bytes = new TextEncoder().encode(text);
  const pieces: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[Math.min(turn, lengths.length - 1)] ?? bytes.length;
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

async function eventsOf(answer: Response, upstream: UpstreamProtocol, body = request): Promise<Event[]> {
  let text = "";
  for await (const part of relay(
    readResponse(answer, upstream),
    messagesStreamEncoder(heading, body, null),
    signal,
    report,
  ))
    text += part;
  const events: Event[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const value = JSON.parse(data) as Event;
      expect(event).toBe(value.type);
      MessageStreamEvent.parse(value);
      events.push(value);
    },
  });
  parser.feed(text);
  return events;
}

const wholeOf = async (answer: Response, upstream: UpstreamProtocol) => {
  const { accumulated, receipt } = await collect(readResponse(answer, upstream), signal, report);
  return Message.parse(completeMessage(heading, request, accumulated, receipt));
};

const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
  sseEvent({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }], ...more });
const called = (index: number, id: string | null, args: string) =>
  chunk({ tool_calls: [{ index, ...(id && { id }), function: { ...(id && { name: "f" }), arguments: args } }] });
const usage = {
  prompt_tokens: 10,
  completion_tokens: 5,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 2 },
};
const CHAT = [
  chunk({ role: "assistant", content: "" }),
  chunk({ reasoning: "hm" }),
  chunk({ reasoning: "m" }),
  chunk({ content: "Héllo" }),
  chunk({ content: " 🌍" }),
  called(0, "call_a", '{"a"'),
  called(0, null, ":1}"),
  called(1, "call_b", ""),
  called(1, null, "{}"),
  chunk({}, "tool_calls"),
  sseEvent({ id: "c", choices: [], usage }),
  SSE_DONE,
].join("");

const short = (events: readonly Event[]) =>
  events.map(({ type, index, content_block, delta, message, usage: used }) => {
    const { type: kind, ...rest } = { ...(content_block as object), ...(delta as object) } as Event;
    if (type === "message_start") return `start ${String((message as Event)["id"])}`;
    return [type.replace("content_block_", ""), index, kind, JSON.stringify(rest), used && JSON.stringify(used)]
      .filter((part) => part !== undefined && part !== "{}")
      .join(" ");
  });

it("writes a chat completion as blocks, one after the other", async () => {
  expect(short(await eventsOf(streamOf(CHAT, [CHAT.length]), "chat_completions"))).toMatchInlineSnapshot(`
    [
      "start gen-1",
      "start 0 thinking {"thinking":"","signature":""}",
      "delta 0 thinking_delta {"thinking":"hm"}",
      "delta 0 thinking_delta {"thinking":"m"}",
      "stop 0",
      "start 1 text {"text":""}",
      "delta 1 text_delta {"text":"Héllo"}",
      "delta 1 text_delta {"text":" 🌍"}",
      "stop 1",
      "start 2 tool_use {"id":"call_a","name":"f","input":{}}",
      "delta 2 input_json_delta {"partial_json":"{\\"a\\""}",
      "delta 2 input_json_delta {"partial_json":":1}"}",
      "stop 2",
      "start 3 tool_use {"id":"call_b","name":"f","input":{}}",
      "delta 3 input_json_delta {"partial_json":"{}"}",
      "stop 3",
      "message_delta {"stop_reason":"tool_use","stop_sequence":null} {"input_tokens":6,"output_tokens":5,"cache_creation_input_tokens":0,"cache_read_input_tokens":4,"cache_creation":null,"output_tokens_details":{"thinking_tokens":2},"server_tool_use":null,"service_tier":null,"inference_geo":null,"cost":0.5,"is_byok":false}",
      "message_stop",
    ]
  `);
});

it("begins with the estimated tokens of the prompt, and ends with those that the upstream counted", async () => {
  const encoder = messagesStreamEncoder({ ...heading, promptTokens: 8 }, request, null);
  let text = "";
  const chunks = readResponse(streamOf(CHAT, [CHAT.length]), "chat_completions");
  for await (const part of relay(chunks, encoder, signal, report)) text += part;
  const usages = [...text.matchAll(/"usage":(\{[^}]*?"input_tokens":\d+)/g)].map(([, json]) => json?.slice(1));
  expect(usages).toEqual(['"input_tokens":8', '"input_tokens":6']);
});

it("writes calls whose arguments interleave one after the other", async () => {
  const stream = [
    called(0, "call_a", '{"a"'),
    called(1, "call_b", '{"b"'),
    called(0, null, ":1}"),
    called(1, null, ":2}"),
    chunk({}, "tool_calls"),
    SSE_DONE,
  ].join("");
  expect(short(await eventsOf(streamOf(stream, [stream.length]), "chat_completions")).slice(1, -2)).toEqual([
    'start 0 tool_use {"id":"call_a","name":"f","input":{}}',
    'delta 0 input_json_delta {"partial_json":"{\\"a\\""}',
    'delta 0 input_json_delta {"partial_json":":1}"}',
    "stop 0",
    'start 1 tool_use {"id":"call_b","name":"f","input":{}}',
    'delta 1 input_json_delta {"partial_json":"{\\"b\\":2}"}',
    "stop 1",
  ]);
});

describe.each(Object.entries(STREAMS))("the stream %s of a Messages upstream", (_name, given) => {
  const text = given.map((event) => sseEvent(event, event.type)).join("");

  it("passes with its own id, model and cost", async () => {
    const events = await eventsOf(streamOf(text, [text.length]), "messages");
    const expected = given.map((event) => {
      if (event.type === "message_start") return { message: { id: "gen-1", model: "acme/1" } };
      return event.type === "message_delta" ? { ...event, usage: { ...(event["usage"] as object), cost: 0.5 } } : event;
    });
    expect(events.map(({ type }) => type)).toEqual(given.map(({ type }) => type));
    expect(events).toMatchObject(expected);
  });

  it("passes alike however its bytes arrive", async () => {
    const expected = await eventsOf(streamOf(text, [text.length]), "messages");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 30 }), async (lengths) => {
        expect(await eventsOf(streamOf(text, lengths), "messages")).toEqual(expected);
      }),
      { numRuns: cases(30) },
    );
  });
});

it("a chat completion is written alike however its bytes arrive", async () => {
  const expected = await eventsOf(streamOf(CHAT, [CHAT.length]), "chat_completions");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 30 }), async (lengths) => {
      expect(await eventsOf(streamOf(CHAT, lengths), "chat_completions")).toEqual(expected);
    }),
    { numRuns: cases(50) },
  );
});

it("a whole message passes with its own id, model and cost", async () => {
  const message = await wholeOf(Response.json(WHOLE), "messages");
  const { usage: used, ...rest } = WHOLE;
  expect(message).toMatchObject({ ...rest, id: "gen-1", model: "acme/1" });
  expect(message.usage).toMatchObject({ ...used, cost: 0.5 });
});

it.each([
  ["stop", {}, "end_turn"],
  ["length", {}, "max_tokens"],
  ["content_filter", {}, "refusal"],
  ["stop", { refusal: "no" }, "refusal"],
  ["tool_calls", { tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }] }, "tool_use"],
])("the finish reason %s with %j is %s", async (finish_reason, more, expected) => {
  const message = { role: "assistant", content: "", ...more };
  const answer = { id: "c", object: "chat.completion", choices: [{ index: 0, message, finish_reason }] };
  expect((await wholeOf(Response.json(answer), "chat_completions")).stop_reason).toBe(expected);
});

it("leaves out reasoning that the request doesn't want to see", async () => {
  const omitting = MessagesBody.parse({ ...request, thinking: { type: "adaptive", display: "omitted" } });
  const types = short(await eventsOf(streamOf(CHAT, [CHAT.length]), "chat_completions", omitting));
  expect(types.join()).not.toContain("thinking_delta");
});

it("reports a failure as an error event", async () => {
  const broken = chunk({ content: "a" });
  const events = await eventsOf(streamOf(broken, [broken.length]), "chat_completions");
  expect(events.at(-1)).toEqual({ type: "error", error: { type: "api_error", message: "Provider returned error" } });
});
