import { HTTPClient, OpenRouter } from "@openrouter/sdk";
import { StreamEvents$inboundSchema } from "@openrouter/sdk/models/streamevents.js";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import {
  chatEvents,
  responsesEvents,
  wholeChat,
  wholeResponse as wholeFakeResponse,
  type FakeAnswer,
} from "../../../e2e/fake-provider-answers";
import { streamed, whole } from "../../../e2e/router-answers";
import { endpointOf } from "../../testing/endpoints";
import { chatCompletion, chatStreamEncoder, type ResponseHeader } from "./chat/stream-encoder";
import { ChatCompletion } from "./contracts/chat-result-contract";
import { ChatCompletionsBody } from "./contracts/chat-request-contract";
import { ResponsesBody } from "./contracts/responses-request-contract";
import type { Protocol } from "../endpoint";
import { collect, relay, type Report } from "./observe";
import { DirectResponse } from "../../platform/http/direct-response";
import { readResponse } from "../../testing/read-response";
import { responsesStreamEncoder, completeResponse } from "./responses/stream-encoder";
import { ResponseObject } from "./contracts/responses-result-contract";
import type { InferenceRequest } from "./inference-request";
import { upstreamRequest } from "./upstream-request";

const heading: ResponseHeader = {
  id: "gen-1700000000-abcdefghijklmnopqrst",
  created: 1_700_000_000,
  model: "acme/one",
  isByok: false,
};
const report: Report = async () => ({
  costUsd: 0.25,
  completedAt: 1_700_000_009,
  serviceMetadata: { requested: "acme/one" },
});
const never = new AbortController().signal;

/** Returns the upstream's HTTP answer to the converted request. */
function answerOf(request: InferenceRequest, protocol: Protocol, answer: FakeAnswer): Response {
  const endpoint = endpointOf({ provider: { protocol } });
  const { path, body } = upstreamRequest(request, endpoint);
  const model = endpoint.upstreamModel;
  const isChat = path === "/chat/completions";
  if (!body.stream) return Response.json(isChat ? wholeChat(answer, model) : wholeFakeResponse(answer, model));
  const events = isChat ? chatEvents(answer, model, body) : responsesEvents(answer, model);
  return new Response([...events].join(""), { headers: { "content-type": "text/event-stream" } });
}

/** Starts a server that only converts between protocols, in front of one upstream. */
async function serve(path: string, given: unknown, protocol: Protocol, answer: FakeAnswer): Promise<Response> {
  const request: InferenceRequest = path.endsWith("/responses")
    ? { protocol: "responses", body: ResponsesBody.parse(given) }
    : { protocol: "chat_completions", body: ChatCompletionsBody.parse(given) };
  const chunks = readResponse(answerOf(request, protocol, answer), protocol);
  if (request.body.stream) {
    const encoder =
      request.protocol === "responses"
        ? responsesStreamEncoder(heading, request.body, null)
        : chatStreamEncoder(heading, {
            includesUsage: request.body.stream_options?.include_usage === true,
            echo: null,
          });
    return new DirectResponse(relay(chunks, encoder, never, report), {
      headers: { "content-type": "text/event-stream" },
    });
  }
  const { end, accumulated, receipt } = await collect(chunks, never, report);
  expect(end.status).toBe("succeeded");
  return Response.json(
    request.protocol === "responses"
      ? ResponseObject.parse(completeResponse(heading, request.body, accumulated, receipt))
      : ChatCompletion.parse(chatCompletion(heading, accumulated, receipt)),
  );
}

const clientOf = (protocol: Protocol, answer: FakeAnswer) =>
  new OpenAI({
    apiKey: "any",
    maxRetries: 0,
    fetch: async (url, init) => {
      const request = new Request(url, init);
      return serve(request.url, await request.json(), protocol, answer);
    },
  });

const routerOf = (protocol: Protocol, answer: FakeAnswer) =>
  new OpenRouter({
    apiKey: "any",
    serverURL: "http://localhost/v1",
    httpClient: new HTTPClient({
      fetcher: async (input, init) => {
        const request = new Request(input, init);
        return serve(request.url, await request.json(), protocol, answer);
      },
    }),
  });

const usage = { input: 11, output: 7, cached: 3, reasoning: 2 };
const CALLS = [
  { name: "weather", arguments: '{"city": "Zürich"}' },
  { name: "time", arguments: "{}" },
];
const PROTOCOLS: Protocol[] = ["chat_completions", "responses"];
const model = "acme/one";

describe.each(PROTOCOLS)("a chat completions client, a %s upstream", (protocol) => {
  const ask = (answer: FakeAnswer) => clientOf(protocol, { usage, ...answer }).chat.completions;
  const body = { model, messages: [{ role: "user" as const, content: "hi" }] };
  const both = async (answer: FakeAnswer) => [
    await ask(answer).create(body),
    await ask(answer)
      .stream({ ...body, stream_options: { include_usage: true } })
      .finalChatCompletion(),
  ];

  it.each<[string, FakeAnswer, object, string]>([
    ["text", { text: "Hello big  world" }, { content: "Hello big  world" }, "stop"],
    ["a cut text", { text: "Hello", isCutShort: true }, { content: "Hello" }, "length"],
    ["a refusal", { refusal: "I can't" }, { content: null, refusal: "I can't" }, "stop"],
    [
      "calls",
      { toolCalls: CALLS },
      { content: null, tool_calls: CALLS.map((call) => ({ type: "function", function: call })) },
      "tool_calls",
    ],
  ])("%s is the same complete and streamed", async (_name, answer, message, finish_reason) => {
    for (const completion of await both(answer)) {
      expect(completion).toMatchObject({
        id: heading.id,
        model,
        choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
        usage: {
          prompt_tokens: 11,
          completion_tokens: 7,
          total_tokens: 18,
          prompt_tokens_details: { cached_tokens: 3 },
          completion_tokens_details: { reasoning_tokens: 2 },
          cost: 0.25,
        },
      });
      expect(completion.choices).toHaveLength(1);
    }
  });

  it("reasoning comes before the text, under its usual name and the upstream's own", async () => {
    const answer = { reasoning: "let me think", text: "done" };
    expect((await ask(answer).create(body)).choices[0]?.message).toMatchObject({
      content: "done",
      reasoning: "let me think",
    });
    const deltas: Record<string, string | null>[] = [];
    for await (const { choices } of await ask(answer).create({ ...body, stream: true }))
      deltas.push(...choices.map(({ delta }) => ({ ...delta }) as Record<string, string | null>));
    const said = (field: string) => deltas.map((delta) => delta[field] ?? "").join("");
    expect([said("reasoning"), said("content")]).toEqual(["let me think", "done"]);
    expect(["", "let me think"]).toContain(said("reasoning_content"));
  });

  it("the stream starts with the role and ends with a finish reason, usage and metadata, and [DONE]", async () => {
    const stream = await serve(
      "/chat/completions",
      { ...body, stream: true, stream_options: { include_usage: true } },
      protocol,
      { text: "a b", usage },
    );
    const lines = (await stream.text())
      .split("\n\n")
      .filter((line) => line !== "")
      .map((line) => line.replace("data: ", ""));
    expect(lines.at(-1)).toBe("[DONE]");
    const chunks = lines
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { choices: { delta: { role?: string }; finish_reason: string | null }[] });
    expect(chunks.map(({ choices }) => choices[0]?.delta.role)).toEqual([
      "assistant",
      ...chunks.slice(1).map(() => undefined),
    ]);
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([
      ...chunks.slice(2).map(() => null),
      "stop",
      undefined,
    ]);
    for (const chunk of chunks) expect(chunk).toMatchObject({ id: heading.id, object: "chat.completion.chunk", model });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { cost: 0.25 }, service_metadata: { requested: model } });
  });

  it("is readable by another official client", async () => {
    const answer = { reasoning: "hm", text: "Hello you", usage };
    const chatRequest = { model, messages: [{ role: "user" as const, content: "hi" }] };
    const completion = whole(await routerOf(protocol, answer).chat.send({ chatRequest }));
    expect(completion.choices[0]?.message).toMatchObject({ content: "Hello you", reasoning: "hm" });
    expect(completion.usage).toMatchObject({ promptTokens: 11, completionTokens: 7, cost: 0.25 });
    let text = "";
    for await (const { choices } of streamed(
      await routerOf(protocol, answer).chat.send({ chatRequest: { ...chatRequest, stream: true } }),
    ))
      text += choices[0]?.delta.content ?? "";
    expect(text).toBe("Hello you");
  });

  it("without usage from the upstream, no usage is returned", async () => {
    const [first, second] = await both({ text: "hi", usage: null });
    expect([first?.usage, second?.usage]).toEqual([undefined, undefined]);
  });
});

describe.each(PROTOCOLS)("a Responses client, a %s upstream", (protocol) => {
  const ask = (answer: FakeAnswer) => clientOf(protocol, { usage, ...answer }).responses;
  const body = { model, input: "hi", metadata: { team: "a" } };

  it.each<[string, FakeAnswer, object[]]>([
    [
      "text",
      { text: "Hello big  world" },
      [{ type: "message", status: "completed", content: [{ type: "output_text", text: "Hello big  world" }] }],
    ],
    ["a refusal", { refusal: "I can't" }, [{ type: "message", content: [{ type: "refusal", refusal: "I can't" }] }]],
    ["calls", { toolCalls: CALLS }, CALLS.map((call) => ({ type: "function_call", status: "completed", ...call }))],
    [
      "reasoning and text",
      { reasoning: "hm", text: "ok" },
      [{ type: "reasoning" }, { type: "message", content: [{ text: "ok" }] }],
    ],
  ])("%s is the same complete and streamed", async (_name, answer, output) => {
    for (const response of [await ask(answer).create(body), await ask(answer).stream(body).finalResponse()]) {
      expect(response).toMatchObject({
        id: heading.id,
        model,
        status: "completed",
        completed_at: 1_700_000_009,
        metadata: { team: "a" },
        store: false,
        output,
        usage: {
          input_tokens: 11,
          input_tokens_details: { cached_tokens: 3 },
          output_tokens: 7,
          output_tokens_details: { reasoning_tokens: 2 },
          cost: 0.25,
        },
        service_metadata: { requested: model },
      });
      expect(response.output).toHaveLength(output.length);
    }
  });

  it("is readable by another official client", async () => {
    const answer = { reasoning: "hm", text: "Hello you", usage };
    const responsesRequest = {
      model,
      input: "hi",
      tools: [{ type: "function" as const, name: "f", parameters: null }],
    };
    const response = whole(await routerOf(protocol, answer).responses.send({ responsesRequest }));
    expect(response).toMatchObject({
      outputText: "Hello you",
      usage: { inputTokens: 11, cost: 0.25 },
      output: [{ type: "reasoning" }, { type: "message" }],
    });
    let text = "";
    for await (const event of streamed(
      await routerOf(protocol, answer).responses.send({ responsesRequest: { ...responsesRequest, stream: true } }),
    ))
      text += event.type === "response.output_text.delta" ? event.delta : "";
    expect(text).toBe("Hello you");
  });

  it("an answer truncated by its limit is incomplete, with the reason", async () => {
    for (const response of [
      await ask({ isCutShort: true, text: "a b" }).create(body),
      await ask({ isCutShort: true, text: "a b" }).stream(body).finalResponse(),
    ]) {
      expect(response).toMatchObject({
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
        output_text: "a b",
      });
    }
  });

  it("events are numbered from 0, named by type, and known to the public API's client", async () => {
    const stream = await serve("/responses", { ...body, stream: true }, protocol, {
      reasoning: "hm",
      text: "a b",
      usage,
    });
    const events = (await stream.text()).split("\n\n").filter((event) => event !== "");
    for (const [index, event] of events.entries()) {
      const [name, data] = event.split("\n");
      const value = JSON.parse(data?.replace("data: ", "") ?? "") as { type: string; sequence_number: number };
      expect([name, value.sequence_number]).toEqual([`event: ${value.type}`, index]);
      expect(StreamEvents$inboundSchema.safeParse(value).success, value.type).toBe(true);
    }
    expect(events.map((event) => event.split("\n", 1)[0]?.replace("event: response.", ""))).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "completed",
    ]);
  });
});

describe("a Responses upstream and a Responses client", () => {
  const search = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "q" } };
  const citation = { type: "url_citation", url: "https://a.example", title: "A", start_index: 0, end_index: 2 };
  const message = {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    phase: "final_answer",
    content: [{ type: "output_text", text: "hi", annotations: [citation], logprobs: [] }],
  };
  const sealed = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" };
  const output = [search, sealed, message];
  const upstream = {
    id: "resp_theirs",
    object: "response",
    status: "completed",
    model: "their-model",
    service_tier: "flex",
    output,
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  };
  const body = ResponsesBody.parse({ model, input: "hi", stream: true });

  async function relayed(events: object[]) {
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    const chunks = readResponse(new Response(text, { headers: { "content-type": "text/event-stream" } }), "responses");
    const shown: Record<string, unknown>[] = [];
    for await (const events of relay(chunks, responsesStreamEncoder(heading, body, null), never, report))
      for (const event of events.split("\n\n").filter((one) => one !== ""))
        shown.push(JSON.parse(event.replace(/^event: .*\ndata: /, "")) as Record<string, unknown>);
    return shown;
  }

  const ADDED = {
    type: "response.output_item.added",
    sequence_number: 40,
    output_index: 0,
    item: { ...search, status: "in_progress" },
  };
  const SEARCHING = {
    type: "response.web_search_call.searching",
    sequence_number: 41,
    output_index: 0,
    item_id: "ws_1",
  };
  const NEW_KIND = { type: "response.brand_new.delta", sequence_number: 42, output_index: 1, anything: { a: 1 } };

  it("events pass unchanged except for sequence number, id and model", async () => {
    const shown = await relayed([
      { type: "response.created", sequence_number: 39, response: upstream },
      ADDED,
      SEARCHING,
      NEW_KIND,
      { type: "response.completed", sequence_number: 43, response: upstream },
    ]);
    expect(shown.slice(1, 4)).toEqual([
      { ...ADDED, sequence_number: 1 },
      { ...SEARCHING, sequence_number: 2 },
      { ...NEW_KIND, sequence_number: 3 },
    ]);
    expect(shown.at(-1)).toMatchObject({
      type: "response.completed",
      sequence_number: 4,
      response: { id: heading.id, model, service_tier: "flex", output_text: "hi", usage: { cost: 0.25 } },
    });
    expect((shown.at(-1)?.["response"] as { output: unknown }).output).toEqual(output);
    expect(JSON.stringify(shown)).not.toContain("resp_theirs");
    expect(JSON.stringify(shown)).not.toContain("their-model");
  });

  it("a complete answer keeps every item and can be streamed item by item", async () => {
    const { accumulated, receipt } = await collect(readResponse(Response.json(upstream), "responses"), never, report);
    expect(ResponseObject.parse(completeResponse(heading, body, accumulated, receipt)).output).toEqual(output);
    const shown: string[] = [];
    for await (const event of relay(
      readResponse(Response.json(upstream), "responses"),
      responsesStreamEncoder(heading, body, null),
      never,
      report,
    ))
      shown.push(...[...event.matchAll(/^event: (.*)/gm)].map(([, type = ""]) => type));
    expect(shown.filter((type) => type === "response.output_item.done")).toHaveLength(3);
    expect(shown).toContain("response.output_text.delta");
    expect(shown.at(-1)).toBe("response.completed");
  });

  it("a failure during the answer ends with an error, and response.failed with the completed items", async () => {
    const shown = await relayed([
      ADDED,
      { type: "response.output_item.done", output_index: 0, item: search },
      {
        type: "response.failed",
        response: { ...upstream, status: "failed", error: { code: "server_error", message: "their words" } },
      },
    ]);
    expect(shown.at(-2)).toMatchObject({ type: "error", code: "server_error", error: { code: "server_error" } });
    expect(shown.at(-1)).toMatchObject({
      type: "response.failed",
      sequence_number: 5,
      response: { status: "failed", error: { code: "server_error" }, output: [search] },
    });
  });

  it("citations and encrypted reasoning reach a chat completions client", async () => {
    const { accumulated, receipt } = await collect(readResponse(Response.json(upstream), "responses"), never, report);
    expect(ChatCompletion.parse(chatCompletion(heading, accumulated, receipt)).choices[0]?.message).toEqual({
      role: "assistant",
      content: "hi",
      refusal: null,
      annotations: [
        { type: "url_citation", url_citation: { url: "https://a.example", title: "A", start_index: 0, end_index: 2 } },
      ],
      reasoning_details: [
        { type: "reasoning.encrypted", data: "sealed", id: "rs_1", format: "openai-responses-v1", index: 0 },
      ],
    });
  });
});
