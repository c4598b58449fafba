import type { IncomingMessage, ServerResponse } from "node:http";
import { text as bodyOf } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accumulate, newAccumulated } from "../../engine/protocols/accumulate";
import { chatStreamEncoder } from "../../engine/protocols/chat/stream-encoder";
import { eachChunk } from "../../engine/protocols/chunk-batches";
import type { InferenceRequest } from "../../engine/protocols/inference-request";
import { completeMessage, messagesStreamEncoder } from "../../engine/protocols/messages/stream-encoder";
import { relay } from "../../engine/protocols/observe";
import { responsesStreamEncoder } from "../../engine/protocols/responses/stream-encoder";
import { OutputWriter } from "../../engine/protocols/responses/output-writer";
import { unconvertible, unsupportedFields, upstreamRequest } from "../../engine/protocols/upstream-request";
import { EndpointHealth } from "../../records/providers/endpoint-health";
import { endpointOf } from "../../testing/endpoints";
import { StrictGenerateContentBody } from "../../testing/strict-generate-content";
import { TEST_SETTINGS } from "../../testing/context";
import { tokenEndpoint } from "../../testing/token-endpoint";
import { upstreamServer } from "../../testing/upstream-server";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import { NO_TRACE } from "../../platform/telemetry/trace-context";
import { GenerationTrace } from "../record/generation-trace-service";
import type { Connection } from "../endpoints-store";
import { readResponse } from "../../testing/read-response";
import { callUpstream } from "./endpoint-client";
import { firstResponse, NoResponse } from "./upstream-client";

type Received = Pick<IncomingMessage, "method" | "url" | "headers">;
const MODEL = "gemini-3-pro-preview";
/** The clock of requests and of the token endpoint, which rejects an assertion from the future. */
const NOW = new Date();

const rpcError = (code: number, status: string, message: string, details: object[] = []) => ({
  error: { code, message, status, details },
});

/** Creates a Gemini API that is as strict as the public one about address, authentication, headers and body. */
async function strictGemini(base: string, authentication: object, answer: (response: ServerResponse) => void) {
  const received: Received[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    received.push(request);
    const refuse = (code: number, status: string, message: string) =>
      response
        .writeHead(code, { "content-type": "application/json" })
        .end(JSON.stringify(rpcError(code, status, message)));
    const { error } = StrictGenerateContentBody.safeParse(JSON.parse(await bodyOf(request)));
    const paths = [`${base}/models/${MODEL}:generateContent`, `${base}/models/${MODEL}:streamGenerateContent?alt=sse`];
    const { "x-goog-api-key": key, authorization } = request.headers;
    if (request.method !== "POST" || !paths.includes(request.url ?? "")) refuse(404, "NOT_FOUND", "No such method");
    else if (JSON.stringify({ key, authorization }) !== JSON.stringify(authentication))
      refuse(401, "UNAUTHENTICATED", `Invalid credentials ${String(authorization)}`);
    else if (error)
      refuse(
        400,
        "INVALID_ARGUMENT",
        error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "),
      );
    else answer(response);
  };
  const { url } = await upstreamServer((request, response) => void respond(request, response));
  return { baseUrl: `${url}/v1beta`, received };
}

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const list: Value[] = [];
  for await (const value of values) list.push(value);
  return list;
}

const json =
  (body: object, status = 200) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { "content-type": "application/json; charset=UTF-8" }).end(JSON.stringify(body));
const sse = (events: readonly object[]) => events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join("");
const stream = (events: readonly object[]) => (response: ServerResponse) =>
  void response.writeHead(200, { "content-type": "text/event-stream" }).end(sse(events));

const part = (given: object, more: object = {}) => ({
  candidates: [{ content: { role: "model", parts: [given] }, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 12, totalTokenCount: 12 },
  modelVersion: MODEL,
  responseId: "r",
});
const ANSWER = [
  part({ text: "Thinking", thought: true }),
  part({ text: "The wéather " }),
  part({ text: "in 🇮🇹" }),
  part({ functionCall: { name: "weather", args: { city: "Rome" } }, thoughtSignature: "c2ln" }),
  {
    ...part({ text: "" }, { finishReason: "STOP" }),
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 7, thoughtsTokenCount: 3, totalTokenCount: 22 },
  },
];

const tool = { name: "weather", parameters: { type: "object" } };
const CHAT: InferenceRequest = {
  protocol: "chat_completions",
  body: ChatCompletionsBody.parse({
    messages: [{ role: "user", content: "Weather?" }],
    tools: [{ type: "function", function: tool }],
    stream: true,
  }),
};

const MESSAGES = {
  model: "google/gemini",
  max_tokens: 100,
  messages: [{ role: "user", content: "Weather?" }],
  tools: [{ name: "weather", input_schema: { type: "object" } }],
};

interface Upstream {
  baseUrl: string;
}
const geminiAt = ({ baseUrl }: Upstream): Connection => ({
  baseUrl,
  kind: "gemini",
  settings: {},
  credentials: () => ({ apiKey: "secret", named: {}, headers: {} }),
});

const GEMINI = endpointOf({ provider: { id: "p", protocol: "generate_content" }, upstreamModel: MODEL });

async function ask(connection: Connection, request = CHAT, endpoint = GEMINI) {
  const call = callUpstream(
    new Map([["p", connection]]),
    { ...TEST_SETTINGS, allowPrivateUpstreams: true },
    NOW,
    new GenerationTrace(NO_TRACE, 0),
  );
  const disconnected = new AbortController().signal;
  const { chunks } = await firstResponse(
    [endpoint],
    (target, signal, onSent) => call(target, upstreamRequest(request, target), signal, onSent),
    { disconnected },
    TEST_SETTINGS.upstreamTimeouts,
    new EndpointHealth(),
  );
  return { chunks, disconnected };
}

async function sumOf(connection: Connection, request = CHAT, endpoint = GEMINI) {
  const sum = newAccumulated();
  for await (const chunk of eachChunk((await ask(connection, request, endpoint)).chunks)) accumulate(sum, chunk);
  return sum;
}

const EXPECTED = {
  reasoning: "Thinking",
  content: "The wéather in 🇮🇹",
  toolCalls: [{ id: "call_r_0", function: { name: "weather", arguments: '{"city":"Rome"}' } }],
  finishReason: "tool_calls",
  usage: {
    prompt_tokens: 12,
    completion_tokens: 10,
    total_tokens: 22,
    completion_tokens_details: { reasoning_tokens: 3 },
  },
};

describe("Gemini", () => {
  it("is sent what it takes, and streams its answer", async () => {
    const upstream = await strictGemini("/v1beta", { key: "secret" }, stream(ANSWER));
    expect(await sumOf(geminiAt(upstream))).toMatchObject(EXPECTED);
    expect(upstream.received[0]?.headers).toMatchObject({ accept: "text/event-stream" });
  });

  it("answers whole", async () => {
    const parts = ANSWER.flatMap(({ candidates }) => candidates.flatMap(({ content }) => content.parts));
    const whole = { ...ANSWER.at(-1), candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] };
    const upstream = await strictGemini("/v1beta", { key: "secret" }, json(whole));
    const request = { ...CHAT, body: { ...CHAT.body, stream: false } } as InferenceRequest;
    expect(await sumOf(geminiAt(upstream), request)).toMatchObject(EXPECTED);
    expect(upstream.received[0]?.headers).toMatchObject({ accept: "application/json" });
  });

  it.each<[string, object, number, object]>([
    [
      "a limit, with its delay",
      rpcError(429, "RESOURCE_EXHAUSTED", "Quota", [
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" },
      ]),
      429,
      { status: 429, message: "Quota", retryAfterMs: 34_500 },
    ],
    ["a mistake", rpcError(400, "INVALID_ARGUMENT", "Bad"), 400, { status: 400, message: "Bad", retryAfterMs: null }],
    ["a mistake in a list", [rpcError(404, "NOT_FOUND", "None")], 404, { status: 404, message: "None" }],
  ])("fails with %s", async (_name, error, status, expected) => {
    const upstream = await strictGemini("/v1beta", { key: "secret" }, json(error, status));
    const reason: unknown = await ask(geminiAt(upstream)).catch((failure: unknown) => failure);
    expect(reason).toBeInstanceOf(NoResponse);
    expect((reason as NoResponse).failures[0]?.failure).toMatchObject(expected);
  });

  it("chunk boundaries of a stream make no difference", async () => {
    const bytes = new TextEncoder().encode(sse(ANSWER));
    const chunksOf = async (cuts: readonly number[]) => {
      const borders = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          for (const [index, border] of borders.slice(1).entries())
            controller.enqueue(bytes.slice(borders[index], border));
          controller.close();
        },
      });
      const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
      return all(eachChunk(readResponse(response, "generate_content")));
    };
    const whole = await chunksOf([]);
    expect(whole).toHaveLength(ANSWER.length);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length)), async (cuts) => {
        expect(await chunksOf(cuts)).toEqual(whole);
      }),
    );
  });
});

describe("Vertex", () => {
  const vertexAt = (baseUrl: string, keyFile: string): Connection => ({
    baseUrl,
    kind: "vertex",
    settings: { project: "acme", location: "global" },
    credentials: () => ({ apiKey: null, named: { service_account: keyFile }, headers: {} }),
  });
  const base = "/v1beta/projects/acme/locations/global/publishers/google";

  it("is sent the same with an access token", async () => {
    const { keyFile, issued } = await tokenEndpoint(NOW.getTime());
    const upstream = await strictGemini(base, { authorization: "Bearer ya29.token-0" }, stream(ANSWER));
    const connection = vertexAt(upstream.baseUrl, keyFile());
    expect(await sumOf(connection)).toMatchObject(EXPECTED);
    expect(await sumOf(connection)).toMatchObject(EXPECTED);
    expect(issued).toHaveLength(1);
  });

  it("is sent Claude's requests as the Messages API, with model and version in their places", async () => {
    const { keyFile } = await tokenEndpoint(NOW.getTime());
    const received: unknown[] = [];
    const { url } = await upstreamServer((request, response) => {
      void bodyOf(request).then((body) => {
        received.push(request.url, request.headers.authorization, JSON.parse(body));
        const content = [{ type: "text", text: "Hello" }];
        const usage = { input_tokens: 1, output_tokens: 2 };
        json({ id: "m", type: "message", role: "assistant", content, stop_reason: "end_turn", usage })(response);
      });
    });
    const endpoint = endpointOf({
      provider: { id: "p", protocol: "messages" },
      upstreamModel: "claude-sonnet-4-5@20250929",
    });
    const body = ChatCompletionsBody.parse({ messages: [{ role: "user", content: "hi" }], max_tokens: 9 });
    const sum = await sumOf(vertexAt(`${url}/v1`, keyFile()), { protocol: "chat_completions", body }, endpoint);
    expect(sum).toMatchObject({ content: "Hello", finishReason: "stop", usage: { total_tokens: 3 } });
    const [path, authorization, sent] = received;
    expect([path, authorization]).toEqual([
      "/v1/projects/acme/locations/global/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict",
      "Bearer ya29.token-0",
    ]);
    expect(sent).toMatchObject({ anthropic_version: "vertex-2023-10-16", max_tokens: 9, stream: false });
    expect(sent).not.toHaveProperty("model");
  });

  it("doesn't show the token when it is refused", async () => {
    const { keyFile } = await tokenEndpoint(NOW.getTime());
    const { baseUrl } = await strictGemini(base, { authorization: "Bearer other" }, stream(ANSWER));
    const reason: unknown = await ask(vertexAt(baseUrl, keyFile())).catch((failure: unknown) => failure);
    const raw = (reason as NoResponse).failures[0]?.failure.raw;
    expect(raw).toContain("Invalid credentials Bearer [secret]");
    expect(raw).not.toContain("ya29");
  });

  it("without a token another endpoint may answer", async () => {
    const endpoint = await tokenEndpoint(NOW.getTime());
    endpoint.answer = (response) => response.writeHead(400).end('{"error":"invalid_grant"}');
    const { baseUrl } = await strictGemini(base, {}, stream(ANSWER));
    const reason: unknown = await ask(vertexAt(baseUrl, endpoint.keyFile())).catch((failure: unknown) => failure);
    expect((reason as NoResponse).failures[0]?.failure).toMatchObject({
      status: null,
      message: "The token endpoint issued no access token for the provider's service account (invalid_grant)",
    });
  });
});

it("a Responses client sends signatures back", async () => {
  const signed = [
    part({ text: "Looking" }),
    part({ functionCall: { name: "weather", args: {} }, thoughtSignature: "c2ln" }),
    part({ functionCall: { name: "weather", args: {} } }),
    part({ text: "", thoughtSignature: "dGV4dA" }, { finishReason: "STOP" }),
  ];
  const { chunks } = await ask(geminiAt(await strictGemini("/v1beta", { key: "secret" }, stream(signed))));
  const writer = new OutputWriter("gen-1");
  for (const chunk of await all(eachChunk(chunks))) writer.write(chunk);
  writer.finish("completed");
  const output = (call_id: string) => ({ type: "function_call_output", call_id, output: "sun" });
  const input = [{ role: "user", content: "Weather?" }, ...writer.output, output("call_r_0"), output("call_r_1")];
  const body = ResponsesBody.parse({ input, tools: [{ type: "function", ...tool }] });
  const request: InferenceRequest = { protocol: "responses", body };
  const endpoint = endpointOf({ provider: { protocol: "generate_content" }, upstreamModel: MODEL });
  expect(unconvertible(request, endpoint)).toEqual([]);
  const sent = upstreamRequest(request, endpoint).body;
  expect(StrictGenerateContentBody.safeParse(sent).error?.issues ?? []).toEqual([]);
  const calling = (id: string) => ({ functionCall: { id, name: "weather", args: {} } });
  expect(sent["contents"]).toMatchObject([
    {},
    {
      role: "model",
      parts: [
        { text: "Looking", thoughtSignature: "dGV4dA" },
        { ...calling("call_r_0"), thoughtSignature: "c2ln" },
        calling("call_r_1"),
      ],
    },
    { parts: [{ functionResponse: { id: "call_r_0" } }, { functionResponse: { id: "call_r_1" } }] },
  ]);
  const responses = endpointOf({ provider: { protocol: "responses" } });
  expect(JSON.stringify(upstreamRequest(request, responses).body)).not.toContain("Signature");
  const chat = endpointOf({ provider: { protocol: "chat_completions" } });
  expect(JSON.stringify(upstreamRequest(request, chat).body)).not.toContain("c2ln");
});

it.each<[string, object, string]>([
  [
    "an image without a type",
    { input: [{ role: "user", content: [{ type: "input_image", image_url: "https://a.example/i" }] }] },
    "input.0.content.0",
  ],
  ["a template", { input: "hi", prompt: { id: "p" } }, "prompt"],
])("%s of a Responses request is refused by its own name", (_name, fields, path) => {
  const request: InferenceRequest = { protocol: "responses", body: ResponsesBody.parse(fields) };
  const endpoint = endpointOf({ provider: { protocol: "generate_content" } });
  expect(unconvertible(request, endpoint).map((one) => one.path.join("."))).toEqual([path]);
});

it.each<[string, object, string]>([
  ["a verbosity", { input: "hi", text: { verbosity: "low" } }, "text.verbosity"],
  ["a hint about caching", { input: "hi", cache_control: { type: "ephemeral" } }, "cache_control"],
])("%s of a Responses request is dropped, and named as the caller does", (_name, fields, path) => {
  const request: InferenceRequest = { protocol: "responses", body: ResponsesBody.parse(fields) };
  const endpoint = endpointOf({ provider: { protocol: "generate_content" } });
  expect(unconvertible(request, endpoint)).toEqual([]);
  expect(unsupportedFields(request, endpoint)).toEqual([path]);
});

it("a Responses request is sent with what only a Chat Completions upstream doesn't take", () => {
  const body = ResponsesBody.parse({ input: "hi", top_k: 4, reasoning: { max_tokens: 100 }, max_output_tokens: 9 });
  const endpoint = endpointOf({ provider: { protocol: "generate_content" } });
  expect(upstreamRequest({ protocol: "responses", body }, endpoint).body["generationConfig"]).toEqual({
    topK: 4,
    maxOutputTokens: 9,
    thinkingConfig: { thinkingBudget: 100, includeThoughts: true },
  });
});

describe("a client reads a stream of Gemini", () => {
  const heading = { id: "gen-1", created: 0, model: "google/gemini", isByok: false };
  const report = async () => ({ costUsd: 0, completedAt: 0 });

  it("as chat completion chunks", async () => {
    const { chunks, disconnected } = await ask(
      geminiAt(await strictGemini("/v1beta", { key: "secret" }, stream(ANSWER))),
    );
    const encoder = chatStreamEncoder(heading, { includesUsage: true, echo: null });
    const events = (await all(relay(chunks, encoder, disconnected, report))).join("");
    await expect(events).toMatchFileSnapshot("golden/gemini-to-chat.txt");
  });

  it("as Responses events", async () => {
    const { chunks, disconnected } = await ask(
      geminiAt(await strictGemini("/v1beta", { key: "secret" }, stream(ANSWER))),
    );
    const body = ResponsesBody.parse({ input: "Weather?", stream: true });
    const events = await all(relay(chunks, responsesStreamEncoder(heading, body, null), disconnected, report));
    // Response objects repeat the request and the items.
    const own = events.join("").replace(/"response":\{.*\}/g, '"response":{}');
    await expect(own).toMatchFileSnapshot("golden/gemini-to-responses.txt");
  });

  it("as Messages events", async () => {
    const { chunks, disconnected } = await ask(
      geminiAt(await strictGemini("/v1beta", { key: "secret" }, stream(ANSWER))),
    );
    const body = MessagesBody.parse({ ...MESSAGES, stream: true });
    const events = await all(relay(chunks, messagesStreamEncoder(heading, body, null), disconnected, report));
    await expect(events.join("")).toMatchFileSnapshot("golden/gemini-to-messages.txt");
  });
});

it("a Messages client sends signatures back", async () => {
  const signed = [
    part({ functionCall: { name: "weather", args: {} }, thoughtSignature: "c2ln" }, { finishReason: "STOP" }),
  ];
  const sum = await sumOf(geminiAt(await strictGemini("/v1beta", { key: "secret" }, stream(signed))));
  const given = MessagesBody.parse(MESSAGES);
  const heading = { id: "gen-1", created: 0, model: "google/gemini", isByok: false };
  const { content } = completeMessage(heading, given, sum, { costUsd: 0, completedAt: 0 });
  const result = { type: "tool_result", tool_use_id: "call_r_0", content: "sun" };
  const body = MessagesBody.parse({
    ...MESSAGES,
    messages: [...MESSAGES.messages, { role: "assistant", content }, { role: "user", content: [result] }],
  });
  const request: InferenceRequest = { protocol: "messages", body };
  expect(unconvertible(request, GEMINI)).toEqual([]);
  const sent = upstreamRequest(request, GEMINI).body;
  expect(StrictGenerateContentBody.safeParse(sent).error?.issues ?? []).toEqual([]);
  expect(sent["contents"]).toMatchObject([
    {},
    { parts: [{ functionCall: { id: "call_r_0", name: "weather" }, thoughtSignature: "c2ln" }] },
    { parts: [{ functionResponse: { id: "call_r_0", response: { output: "sun" } } }] },
  ]);
});
