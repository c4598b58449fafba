import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ResponseChunk } from "../../engine/protocols/response-chunk";
import { asObject, asObjects, asText, type JsonObject } from "../../platform/json-values";
import { chatCompletion, chatStreamEncoder } from "../../engine/protocols/chat/stream-encoder";
import { collect, relay, type StreamEncoder } from "../../engine/protocols/observe";
import { completeResponse, responsesStreamEncoder } from "../../engine/protocols/responses/stream-encoder";
import { PLAIN, REFUSAL, SEARCH, STREAMS, THINKING, TOOLS, WHOLE } from "../../testing/golden-messages";
import { converted } from "../../testing/messages-conversion";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { readResponse } from "../../testing/read-response";
import { cases } from "../../testing/random";

const SSE = { headers: { "content-type": "text/event-stream" } };
const HEADER = { id: "gen-1", created: 1, model: "acme/one", isByok: false };
const report = async () => ({ costUsd: 0, completedAt: 2 });
const never = new AbortController().signal;

/** The bytes of a stream as Anthropic's API writes it. */
const bytesOf = (events: readonly ({ type: string } & object)[]) =>
  new TextEncoder().encode(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
const answer = (events: Parameters<typeof bytesOf>[0]) => readResponse(new Response(bytesOf(events), SSE), "messages");

async function encoded(events: Parameters<typeof bytesOf>[0], encoder: StreamEncoder): Promise<JsonObject[]> {
  let text = "";
  for await (const part of relay(answer(events), encoder, never, report)) text += part;
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data ?? "") as JsonObject);
}
const BODY = ResponsesBody.parse({ model: "acme/one", input: "hi" });
const toChat = (events: Parameters<typeof bytesOf>[0]) =>
  encoded(events, chatStreamEncoder(HEADER, { includesUsage: true, echo: null }));
const toResponses = (events: Parameters<typeof bytesOf>[0]) =>
  encoded(events, responsesStreamEncoder(HEADER, BODY, null));
const deltas = (events: readonly JsonObject[]) =>
  events.flatMap(({ choices }) => asObjects(choices).map(({ delta }) => asObject(delta) ?? {}));
const last = (events: readonly JsonObject[]) => asObject(events.at(-1)?.["response"]) ?? {};

describe("bytes of a stream", () => {
  it.each(Object.entries(STREAMS))("of %s mean the same wherever they are cut", async (_name, events) => {
    const bytes = bytesOf(events);
    const chunksOf = async (parts: readonly Uint8Array<ArrayBuffer>[]) => {
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      const chunks: ResponseChunk[] = [];
      for await (const together of readResponse(new Response(body, SSE), "messages")) chunks.push(...together);
      return chunks;
    };
    const expected = await chunksOf([bytes]);
    expect(expected.map(({ messageEvent }) => messageEvent)).toEqual(events);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 40 }), async (cuts) => {
        const borders = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const parts = borders.slice(1).map((border, index) => bytes.slice(borders[index], border));
        expect(await chunksOf(parts)).toEqual(expected);
      }),
      { numRuns: cases(30) },
    );
    expect(await chunksOf(Array.from(bytes, (_, index) => bytes.slice(index, index + 1)))).toEqual(expected);
  });
});

describe("a chat completions client", () => {
  it("reads text, then why it ended, then usage", async () => {
    const events = await toChat(PLAIN);
    expect(deltas(events)).toEqual([{ role: "assistant", content: "Hello" }, { content: "!" }, {}]);
    expect(events.at(-2)).toMatchObject({ choices: [{ finish_reason: "stop", native_finish_reason: "end_turn" }] });
    expect(events.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 25, completion_tokens: 15 } });
  });

  it("reads calls of tools", async () => {
    const calls = deltas(await toChat(TOOLS)).flatMap(({ tool_calls }) => asObjects(tool_calls));
    expect(calls.filter(({ id }) => id)).toMatchObject([
      { index: 0, id: "toolu_01", type: "function", function: { name: "get_weather", arguments: "" } },
      { index: 1, id: "toolu_02", type: "function", function: { name: "get_time", arguments: "" } },
    ]);
    const words = (index: number) =>
      calls.filter((call) => call["index"] === index).map((call) => asObject(call["function"])?.["arguments"]);
    expect(words(0).join("")).toBe('{"location": "San Francisco, CA"}');
    expect(words(1).join("")).toBe("{}");
  });

  it("reads thinking with details that it sends back", async () => {
    const given = deltas(await toChat(THINKING));
    expect(given.flatMap(({ reasoning }) => asText(reasoning) ?? []).join("")).toBe("Let me solve this step by step.");
    const reasoning_details = given.flatMap((delta) => asObjects(delta["reasoning_details"]));
    const { messages } = converted({
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "27 * 453 = 12,231", reasoning_details },
        { role: "user", content: "and 28?" },
      ],
    });
    expect(asObjects(messages)[1]?.["content"]).toEqual([
      {
        type: "thinking",
        thinking: "Let me solve this step by step.",
        signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk",
      },
      { type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIw" },
      { type: "text", text: "27 * 453 = 12,231" },
    ]);
  });

  it("reads citations, and refusals", async () => {
    expect(deltas(await toChat(SEARCH)).flatMap(({ annotations }) => asObjects(annotations))).toMatchObject([
      { type: "url_citation", url_citation: { url: "https://a.example/weather", start_index: 12, end_index: 23 } },
    ]);
    expect(deltas(await toChat(REFUSAL)).at(-1)).toEqual({ refusal: "It asks for something dangerous." });
  });

  it("reads a whole answer", async () => {
    const { accumulated, receipt } = await collect(readResponse(Response.json(WHOLE), "messages"), never, report);
    const [choice] = chatCompletion(HEADER, accumulated, receipt).choices;
    expect(choice).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        content: "It is 18°C.",
        reasoning: "Let me see.",
        tool_calls: [{ id: "toolu_01", function: { arguments: '{"location":"Rome"}' } }, { id: "toolu_02" }],
        annotations: [{ type: "url_citation" }],
      },
    });
    expect(chatCompletion(HEADER, accumulated, receipt)).not.toHaveProperty("messageEvent");
  });
});

describe("a Responses client", () => {
  it("reads the same answer, streamed or whole", async () => {
    const response = last(await toResponses(THINKING));
    expect(response["output"]).toMatchObject([
      { type: "reasoning", summary: [{ type: "summary_text", text: "Let me solve this step by step." }] },
      { type: "reasoning", summary: [] },
      { type: "message", content: [{ type: "output_text", text: "27 * 453 = 12,231" }] },
    ]);
    expect(response["usage"]).toMatchObject({
      input_tokens: 1230,
      input_tokens_details: { cached_tokens: 1000 },
      output_tokens: 60,
      output_tokens_details: { reasoning_tokens: 40 },
    });
    const { accumulated, receipt } = await collect(readResponse(Response.json(WHOLE), "messages"), never, report);
    expect(completeResponse(HEADER, BODY, accumulated, receipt).output).toMatchObject([
      { type: "reasoning", summary: [{ text: "Let me see." }], encrypted_content: expect.any(String) as string },
      { type: "reasoning", summary: [], encrypted_content: expect.any(String) as string },
      {
        type: "message",
        content: [{ text: "It is 18°C.", annotations: [{ type: "url_citation", title: "Weather" }] }],
      },
      { type: "function_call", call_id: "toolu_01", name: "get_weather", arguments: '{"location":"Rome"}' },
      { type: "function_call", call_id: "toolu_02", name: "get_time", arguments: "{}" },
    ]);
  });

  it("sends back what thinking was signed with", async () => {
    const { accumulated, receipt } = await collect(readResponse(Response.json(WHOLE), "messages"), never, report);
    const { output } = completeResponse(HEADER, BODY, accumulated, receipt);
    // Agents send it without ids.
    const items = output.map(({ id: _, ...item }: JsonObject) => item);
    const results = ["toolu_01", "toolu_02"].map((call_id) => ({ type: "function_call_output", call_id, output: "1" }));
    const input = [{ role: "user", content: "hi" }, ...items, ...results];
    const { messages } = converted({ input }, undefined, "responses");
    const [thinking, redacted, , ...calls] = WHOLE.content;
    expect(asObjects(messages)[1]?.["content"]).toEqual([
      thinking,
      redacted,
      { type: "text", text: "It is 18°C." },
      ...calls,
    ]);
  });

  it("reads calls, and why an answer is incomplete", async () => {
    expect(last(await toResponses(TOOLS))["output"]).toMatchObject([
      { type: "message" },
      { type: "function_call", call_id: "toolu_01", arguments: '{"location": "San Francisco, CA"}' },
      { type: "function_call", call_id: "toolu_02", arguments: "{}" },
    ]);
    const cut = PLAIN.map((event) =>
      event.type === "message_delta" ? { ...event, delta: { stop_reason: "max_tokens" } } : event,
    );
    expect(last(await toResponses(cut))).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
  });

  it("receives an error when the upstream is overloaded in the middle of an answer", async () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(last(await toResponses([...PLAIN.slice(0, 4), error]))).toMatchObject({ status: "failed" });
    expect((await toChat([...PLAIN.slice(0, 4), error])).at(-1)).toMatchObject({ error: { code: 529 } });
  });
});
