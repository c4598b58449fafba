import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BrokenResponse } from "../../engine/protocols/broken-response";
import type { Protocol } from "../../engine/endpoint";
import { accumulate, calledOf, newAccumulated } from "../../engine/protocols/accumulate";
import { eachChunk } from "../../engine/protocols/chunk-batches";
import { readResponse } from "../../testing/read-response";
import { MAX_EVENT_CHARACTERS, MAX_BODY_BYTES } from "./event-client";

const SSE = { headers: { "content-type": "text/event-stream; charset=utf-8" } };
const events = (...values: unknown[]) =>
  values.map((value) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`).join("");
const choice = (delta: object, finish_reason: string | null = null) => ({
  id: "x",
  choices: [{ index: 0, delta, finish_reason }],
});
const STOP = choice({}, "stop");

async function sumOf(response: Response, protocol: Protocol = "chat_completions") {
  const sum = newAccumulated();
  for await (const chunk of eachChunk(readResponse(response, protocol))) accumulate(sum, chunk);
  return sum;
}

const chat = (...values: unknown[]) => sumOf(new Response(events(...values), SSE));
const responses = (...values: unknown[]) => sumOf(new Response(events(...values), SSE), "responses");

async function broken(work: Promise<unknown>): Promise<BrokenResponse> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!(error instanceof BrokenResponse)) throw new Error(`expected a broken answer, got ${String(error)}`);
  return error;
}

/** Returns a body that arrives in the given chunks. */
const inParts = (parts: readonly Uint8Array<ArrayBuffer>[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });

describe("a chat completions upstream", () => {
  it.each<[string, string]>([
    ["CRLF", events(choice({ content: "hé" }), STOP).replaceAll("\n", "\r\n")],
    ["comments", `: ping\n\n${events(choice({ content: "hé" }))}: ping\n\n${events(STOP)}`],
    ["no space after the colon", events(choice({ content: "hé" }), STOP).replaceAll("data: ", "data:")],
    ["no [DONE]", events(choice({ content: "hé" }), STOP)],
    ["no trailing blank line", events(choice({ content: "hé" }), STOP).trimEnd()],
    ["data over two lines", events(choice({ content: "hé" }), STOP).replace('"choices"', '\ndata: "choices"')],
  ])("%s makes no difference", async (_name, text) => {
    expect(await sumOf(new Response(text, SSE))).toMatchObject({ content: "hé", finishReason: "stop" });
  });

  it("chunk boundaries don't change the text", async () => {
    const bytes = new TextEncoder().encode(
      events(choice({ content: "h😀" }), choice({ content: "é\n" }), STOP, "[DONE]"),
    );
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length)), async (cuts) => {
        const borders = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const parts = borders.slice(1).map((border, index) => bytes.slice(borders[index], border));
        expect((await sumOf(new Response(inParts(parts), SSE))).content).toBe("h😀é\n");
      }),
    );
  });

  it.each<[string, object, object]>([
    ["reasoning_content", { reasoning_content: "hm" }, { reasoning: "hm" }],
    ["reasoning", { reasoning: "hm", reasoning_content: "hm" }, { reasoning: "hm" }],
    [
      "only reasoning_details",
      { reasoning_details: [{ type: "reasoning.text", text: "hm" }] },
      { reasoning: "hm", lists: { reasoning_details: [{ text: "hm" }] } },
    ],
    [
      "content in parts",
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
          { type: "text", text: "ok" },
        ],
      },
      { reasoning: "hm", content: "ok" },
    ],
    [
      "null fields",
      { content: null, reasoning: null, refusal: null, tool_calls: null },
      { content: "", toolCalls: [] },
    ],
    ["a refusal", { refusal: "no" }, { refusal: "no" }],
    ["images", { images: [{ type: "image_url" }] }, { lists: { images: [{ type: "image_url" }] } }],
  ])("%s is read", async (_name, delta, expected) => {
    expect(await chat(choice(delta), STOP)).toMatchObject(expected);
  });

  const part = (fields: object, name?: string, args?: unknown) =>
    choice({ tool_calls: [{ ...fields, function: { name, arguments: args } }] });
  it.each<[string, unknown[], [string, string, string][]]>([
    [
      "calls by index, interleaved",
      [
        part({ index: 0, id: "a" }, "f", "1"),
        part({ index: 1, id: "b" }, "g", "2"),
        part({ index: 0 }, undefined, "3"),
        part({ index: 1 }, undefined, "4"),
      ],
      [
        ["a", "f", "13"],
        ["b", "g", "24"],
      ],
    ],
    [
      "calls without an index",
      [part({ id: "a" }, "f", "1"), part({}, undefined, "2"), part({ id: "b" }, "g", "3")],
      [
        ["a", "f", "12"],
        ["b", "g", "3"],
      ],
    ],
    [
      "two calls with one index",
      [part({ index: 0, id: "a" }, "f", "1"), part({ index: 0, id: "b" }, "g", "2")],
      [
        ["a", "f", "1"],
        ["b", "g", "2"],
      ],
    ],
    [
      "id and name repeated in every chunk",
      [part({ index: 0, id: "a" }, "f", "1"), part({ index: 0, id: "a" }, "f", "2")],
      [["a", "f", "12"]],
    ],
    ["indexes from 1", [part({ index: 1, id: "a" }, "f", "1"), part({ index: 1 }, undefined, "2")], [["a", "f", "12"]]],
    ["no id at all", [part({ index: 0 }, "f", "1")], [["call_x_0", "f", "1"]]],
    ["arguments as an object", [part({ index: 0, id: "a" }, "f", { a: 1 })], [["a", "f", '{"a":1}']]],
    [
      "a name after the id",
      [part({ index: 0, id: "a" }), part({ index: 0 }, "f", "1"), part({ index: 0 }, undefined, "2")],
      [["a", "f", "12"]],
    ],
    [
      "a name after some arguments",
      [part({ index: 0, id: "a" }, "", "1"), part({ index: 0, id: "a" }, "f", "2")],
      [["a", "f", "12"]],
    ],
    [
      "an id with the late name",
      [part({ index: 0 }, "", "1"), part({ index: 0, id: "a" }, "f", "2")],
      [["a", "f", "12"]],
    ],
    ["no name at all", [part({ index: 0, id: "a" }, "", "1"), part({ index: 0 }, "", "2")], [["a", "", "12"]]],
    [
      "many arguments before the name",
      [part({ index: 0, id: "a" }, "", "1".repeat(70_000)), part({ index: 0 }, "", "2")],
      [["a", "", `${"1".repeat(70_000)}2`]],
    ],
  ])("%s", async (_name, values, expected) => {
    const { toolCalls } = await chat(...values, choice({}, "tool_calls"));
    expect(toolCalls.map((call) => [call.id, calledOf(call).name, calledOf(call).words])).toEqual(expected);
  });

  it.each<[string, unknown, object | null]>([
    [
      "whole",
      { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
      { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
    ],
    ["without a total", { prompt_tokens: 2, completion_tokens: 3 }, { total_tokens: 5 }],
    [
      "without completion tokens",
      { prompt_tokens: 2, completion_tokens: null, total_tokens: 5 },
      { completion_tokens: 3 },
    ],
    [
      "null details",
      {
        prompt_tokens: 2,
        completion_tokens: 3,
        total_tokens: 5,
        prompt_tokens_details: null,
        completion_tokens_details: { reasoning_tokens: null },
      },
      { prompt_tokens_details: { cached_tokens: 0 }, completion_tokens_details: { reasoning_tokens: 0 } },
    ],
    ["null counts", { prompt_tokens: null, completion_tokens: null, total_tokens: null }, null],
    ["negative counts", { prompt_tokens: -1, completion_tokens: 3 }, null],
    ["not an object", 5, null],
    ["null", null, null],
  ])("usage: %s", async (_name, usage, expected) => {
    const sum = await chat(choice({ content: "a" }), STOP, { choices: [], usage }, "[DONE]");
    if (expected) expect(sum.usage).toMatchObject(expected);
    else expect(sum.usage).toBeNull();
  });

  it("usage may arrive without choices", async () => {
    expect((await chat(STOP, { usage: { prompt_tokens: 1, completion_tokens: 1 } })).usage).toMatchObject({
      total_tokens: 2,
    });
  });

  it("a later chunk without usage keeps the counts", async () => {
    expect(
      (
        await chat(
          { ...choice({ content: "a" }), usage: { prompt_tokens: 1, completion_tokens: 1 } },
          { ...STOP, usage: null },
        )
      ).usage,
    ).toMatchObject({ total_tokens: 2 });
  });

  it("every choice is read by itself", async () => {
    const second = { index: 1, delta: { content: "B" } };
    const last = { choices: [{ ...second, finish_reason: "length" }] };
    const answer = await chat({ choices: [second, { index: 0, delta: { content: "A" } }] }, last, STOP);
    expect([answer.content, answer.finishReason]).toEqual(["A", "stop"]);
    expect(answer.others.get(1)).toMatchObject({ content: "BB", finishReason: "length" });
  });

  it("a call begins with its name, also when it arrives late", async () => {
    const text = events(part({ index: 0, id: "a" }), part({ index: 0 }, "f"), part({ index: 0 }, undefined, "1"), STOP);
    const calls: unknown[] = [];
    for await (const { choices } of eachChunk(readResponse(new Response(text, SSE), "chat_completions")))
      calls.push(...(choices[0]?.delta.tool_calls ?? []));
    expect(calls).toEqual([
      { index: 0, id: "a", function: { name: "f", arguments: "" } },
      { index: 0, function: { arguments: "1" } },
    ]);
  });

  it("[DONE] without a finish reason completes the answer with one", async () => {
    expect((await chat(choice({ content: "a" }), "[DONE]")).finishReason).toBe("stop");
    expect((await chat(choice({ content: "a" }, ""), "[DONE]")).finishReason).toBe("stop");
    expect((await chat(part({ index: 0, id: "a" }, "f", "{}"), "[DONE]")).finishReason).toBe("tool_calls");
  });

  it("a complete answer may replace a stream", async () => {
    const whole = {
      id: "x",
      choices: [
        {
          message: {
            role: "assistant",
            content: "hi",
            tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    };
    expect(await sumOf(Response.json(whole))).toMatchObject({
      content: "hi",
      toolCalls: [{ id: "a" }],
      finishReason: "tool_calls",
      usage: { total_tokens: 2 },
    });
  });

  it.each<[string, () => Promise<unknown>, string]>([
    [
      "a stream cut short",
      () => chat(choice({ content: "a" })),
      "The upstream's stream ended before the response was complete",
    ],
    [
      "an empty finish reason",
      () => chat(choice({ content: "a" }, "")),
      "The upstream's stream ended before the response was complete",
    ],
    ["nothing", () => chat(), "The upstream's stream ended before the response was complete"],
    ["[DONE] alone", () => chat("[DONE]"), "The upstream's stream ended before the response was complete"],
    ["malformed JSON", () => chat('{"choices": ['), "The upstream's response is not valid JSON"],
    ["not an object", () => chat("5"), "The upstream's response is not a JSON object"],
    ["an unrelated object", () => chat({ hello: 1 }), "The upstream's response is not a chat completion"],
    ["an error", () => chat(choice({ content: "a" }), { error: { message: "their words", code: 429 } }), "their words"],
    ["an error as text", () => chat({ error: "their words" }), "their words"],
    ["an error object", () => chat({ object: "error", message: "their words", code: 400 }), "their words"],
    ["an HTML page", () => sumOf(new Response("<html>")), "The upstream's response is not valid JSON"],
    [
      "a complete answer without choices",
      () => sumOf(Response.json({ choices: [] })),
      "The upstream's response is not a chat completion",
    ],
  ])("%s breaks the answer", async (_name, work, message) => {
    expect((await broken(work())).message).toBe(message);
  });

  it("an error keeps the upstream's message, and its status if any", async () => {
    const { raw, status } = await broken(chat({ error: { message: "busy", code: 503 } }));
    expect([status, JSON.parse(raw)]).toEqual([503, { error: { message: "busy", code: 503 } }]);
    expect((await broken(chat({ error: { message: "busy", code: "busy" } }))).status).toBeNull();
  });
});

describe("limits", () => {
  const megabyte = new TextEncoder().encode("x".repeat(1024 * 1024));

  /** Sends the first bytes, then an endless stream, counting chunks. */
  function endless(first: string, more: Uint8Array<ArrayBuffer>) {
    let given = 0;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: (controller) => controller.enqueue(given++ === 0 ? new TextEncoder().encode(first) : more),
        cancel: () => void (isCancelled = true),
      },
      { highWaterMark: 0 },
    );
    return { body, given: () => given, isCancelled: () => isCancelled };
  }

  it.each([
    ["a line", "data: ", megabyte],
    ["an event of many lines", "data: \n", new TextEncoder().encode(`data: ${"x".repeat(1024 * 1024)}\n`)],
  ])("an endless %s is cancelled and closed", async (_name, first, more) => {
    const upstream = endless(first, more);
    expect((await broken(sumOf(new Response(upstream.body, SSE)))).message).toContain(
      `longer than ${MAX_EVENT_CHARACTERS}`,
    );
    expect(upstream.given()).toBeLessThan(14);
    await expect.poll(upstream.isCancelled).toBe(true);
  });

  it("an endless complete answer is cancelled and closed", async () => {
    const upstream = endless('{"', megabyte);
    expect((await broken(sumOf(new Response(upstream.body)))).message).toContain(`longer than ${MAX_BODY_BYTES}`);
    expect(upstream.isCancelled()).toBe(true);
  });

  it("a reader that stops early closes the upstream", async () => {
    const upstream = endless(
      events(choice({ content: "a" })),
      new TextEncoder().encode(events(choice({ content: "b".repeat(10_000) }))),
    );
    const chunks = readResponse(new Response(upstream.body, SSE), "chat_completions");
    await chunks.next();
    await chunks.return();
    await expect.poll(upstream.isCancelled).toBe(true);
  });

  it("the rest after [DONE] is read so that the connection can be reused", async () => {
    let hasEnded = false;
    const parts = [events(choice({ content: "a" }), STOP, "[DONE]"), ": rest\n\n"];
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull(controller) {
          const part = parts.shift();
          hasEnded = part === undefined;
          if (part === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(part));
        },
      },
      { highWaterMark: 0 },
    );
    expect((await sumOf(new Response(body, SSE))).content).toBe("a");
    await expect.poll(() => hasEnded).toBe(true);
  });
});

describe("a Responses upstream", () => {
  const message = (text: string) => ({
    type: "message",
    id: "m",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
  });
  const call = { type: "function_call", id: "fc", call_id: "c1", name: "f", arguments: '{"a":1}', status: "completed" };
  const ended = (output: unknown[], more: object = {}) => ({
    type: "response.completed",
    response: { id: "r", object: "response", status: "completed", output, ...more },
  });
  const text = (delta: string) => ({ type: "response.output_text.delta", output_index: 0, content_index: 0, delta });
  const at = { output_index: 0, content_index: 0 };

  it("may end with an end marker that arrives with the last event", async () => {
    const completed = { type: "response.completed", response: { id: "r", status: "completed", output: [] } };
    expect((await responses(completed, "[DONE]")).finishReason).toBe("stop");
  });

  it.each<[string, unknown[]]>([
    ["deltas", [text("a"), text("b"), ended([message("ab")])]],
    ["only a completed text", [{ type: "response.output_text.done", ...at, text: "ab" }, ended([message("ab")])]],
    [
      "only a completed item",
      [{ type: "response.output_item.done", output_index: 0, item: message("ab") }, ended([message("ab")])],
    ],
    ["only the completed answer", [ended([message("ab")])]],
    [
      "everything twice",
      [
        text("a"),
        { type: "response.output_text.done", ...at, text: "ab" },
        { type: "response.output_item.done", output_index: 0, item: message("ab") },
        ended([message("ab")]),
      ],
    ],
    ["unknown events in between", [text("a"), { type: "response.brand_new" }, text("b"), ended([message("ab")])]],
  ])("%s: no text is duplicated", async (_name, values) => {
    expect(await responses(...values)).toMatchObject({ content: "ab", finishReason: "stop", upstreamId: "r" });
  });

  it.each<[string, unknown[]]>([
    [
      "in deltas",
      [
        { type: "response.output_item.added", output_index: 0, item: { ...call, arguments: "" } },
        { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"a"' },
        { type: "response.function_call_arguments.delta", output_index: 0, delta: ":1}" },
        ended([call]),
      ],
    ],
    [
      "all at once",
      [
        { type: "response.output_item.added", output_index: 0, item: { ...call, arguments: "" } },
        { type: "response.function_call_arguments.done", output_index: 0, arguments: call.arguments },
        ended([call]),
      ],
    ],
    ["in the completed answer", [ended([call])]],
  ])("a call %s", async (_name, values) => {
    const { toolCalls, finishReason } = await responses(...values);
    expect([toolCalls, finishReason]).toEqual([
      [{ id: "c1", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
      "tool_calls",
    ]);
  });

  it("paragraphs of a reasoning summary are separated and not duplicated", async () => {
    const summary = (summary_index: number, delta: string) => ({
      type: "response.reasoning_summary_text.delta",
      output_index: 0,
      summary_index,
      delta,
    });
    const item = {
      type: "reasoning",
      id: "rs",
      summary: [
        { type: "summary_text", text: "one" },
        { type: "summary_text", text: "two" },
      ],
      content: [{ type: "reasoning_text", text: "long thoughts" }],
    };
    expect((await responses(summary(0, "on"), summary(0, "e"), summary(1, "two"), ended([item]))).reasoning).toBe(
      "one\n\ntwo",
    );
  });

  it.each<[string, object, string, string]>([
    ["completed", {}, "stop", "completed"],
    [
      "the token limit",
      { type: "response.incomplete", response: { output: [], incomplete_details: { reason: "max_output_tokens" } } },
      "length",
      "max_output_tokens",
    ],
    [
      "a filter",
      { type: "response.incomplete", response: { output: [], incomplete_details: { reason: "content_filter" } } },
      "content_filter",
      "content_filter",
    ],
  ])("finish reason: %s", async (_name, fields, finishReason, nativeFinishReason) => {
    expect(await responses({ ...ended([]), ...fields })).toMatchObject({ finishReason, nativeFinishReason });
  });

  it("usage: cached and reasoning tokens; missing or partial counts are ignored", async () => {
    const usage = {
      input_tokens: 5,
      input_tokens_details: { cached_tokens: 2 },
      output_tokens: 3,
      output_tokens_details: { reasoning_tokens: 1 },
      total_tokens: 8,
    };
    expect((await responses(ended([], { usage }))).usage).toEqual({
      prompt_tokens: 5,
      completion_tokens: 3,
      total_tokens: 8,
      prompt_tokens_details: { cached_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 1 },
    });
    expect((await responses(ended([], { usage: { input_tokens: null, output_tokens: 3 } }))).usage).toBeNull();
  });

  it("events that repeat the request aren't part of the answer, so a later failure still falls back", async () => {
    const chunks = readResponse(
      new Response(
        events(
          { type: "response.created", response: { id: "r" } },
          { type: "response.failed", response: { error: { message: "their words", code: "server_error" } } },
        ),
        SSE,
      ),
      "responses",
    );
    expect((await broken(chunks.next())).message).toBe("their words");
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ["no terminal event", () => responses(text("a")), "The upstream's stream ended before the response was complete"],
    [
      "[DONE] instead of a terminal event",
      () => responses(text("a"), "[DONE]"),
      "The upstream's stream ended before the response was complete",
    ],
    [
      "an error event",
      () => responses({ type: "error", code: "rate_limit_exceeded", message: "their words", param: null }),
      "their words",
    ],
    [
      "a failure without a message",
      () => responses({ type: "response.failed", response: {} }),
      "The upstream reported an error",
    ],
    ["a chat completions chunk", () => responses(STOP), "The upstream's response is not a Responses event"],
    [
      "an invalid output",
      () => responses(ended([{ type: "message", content: 5 }])),
      "The upstream's response is not a Responses object",
    ],
    [
      "a failed complete answer",
      () =>
        sumOf(
          Response.json({ object: "response", status: "failed", error: { message: "their words" }, output: [] }),
          "responses",
        ),
      "their words",
    ],
    [
      "a complete answer without output",
      () => sumOf(Response.json({ object: "response", status: "completed" }), "responses"),
      "The upstream's response is not a Responses object",
    ],
    [
      "a complete answer still in progress",
      () => sumOf(Response.json({ object: "response", status: "queued", output: [] }), "responses"),
      "The upstream returned a response with status queued",
    ],
  ])("%s breaks the answer", async (_name, work, message) => {
    expect((await broken(work())).message).toBe(message);
  });
});
