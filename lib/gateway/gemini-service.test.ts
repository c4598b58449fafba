import { text as bodyOf } from "node:stream/consumers";
import { beforeAll, expect, it } from "vitest";
import { ApiError } from "../platform/api-error";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import { toGeneration, withRelations } from "../records/generations/rows";
import { createKey, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { StrictGenerateContentBody } from "../testing/strict-generate-content";
import { testWorld } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import * as embeddings from "./embeddings-service";
import * as inference from "./service";

type Body = Record<string, unknown>;

let at: (url: string) => Promise<{ context: Context; model: string }>;

beforeAll(async () => {
  const world = await testWorld();
  let count = 0;
  at = async (baseUrl) => {
    const slug = `gemini-${++count}`;
    const providerId = await createProvider(world, { slug, baseUrl, kind: "gemini", protocol: "generate_content" });
    await createModel(world, { slug: `google/${slug}`, providerId });
    const caller = keyCaller(world, (await createKey(world)).id);
    return { context: { ...world.context, caller, headers: new Headers() }, model: `google/${slug}` };
  };
});

const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 4, thoughtsTokenCount: 6, totalTokenCount: 20 };
const part = (given: object, more: object = {}) => ({
  candidates: [{ content: { parts: [given] }, ...more }],
  responseId: "r",
});
const PIECES = [
  part({ text: "Hm", thought: true }),
  part({ text: "Hel" }),
  { ...part({ text: "lo" }, { finishReason: "STOP" }), usageMetadata },
];
const WHOLE = {
  candidates: [{ content: { parts: [{ text: "Hm", thought: true }, { text: "Hello" }] }, finishReason: "STOP" }],
  usageMetadata,
  responseId: "r",
};

/** Responds to valid requests with or without a stream as requested, and to others with their problems. */
async function gemini() {
  const { url } = await upstreamServer((request, response) => {
    void bodyOf(request).then((text) => {
      const { error } = StrictGenerateContentBody.safeParse(JSON.parse(text));
      const isStream = request.url?.endsWith(":streamGenerateContent?alt=sse") === true;
      response.writeHead(error ? 400 : 200, {
        "content-type": isStream && !error ? "text/event-stream" : "application/json",
      });
      if (error)
        response.end(JSON.stringify({ error: { code: 400, message: error.message, status: "INVALID_ARGUMENT" } }));
      else if (isStream) response.end(PIECES.map((piece) => `data: ${JSON.stringify(piece)}\n\n`).join(""));
      else response.end(JSON.stringify(WHOLE));
    });
  });
  return at(url);
}

const request = (body: Body) => ({ params: {}, query: {}, body: { stream: false, store: false, ...body } });
const chat = (context: Context, body: Body) =>
  inference.createChatCompletion(
    context,
    request(body) as unknown as Parameters<typeof inference.createChatCompletion>[1],
  );
const responses = (context: Context, body: Body) =>
  inference.createResponse(context, request(body) as unknown as Parameters<typeof inference.createResponse>[1]);

async function textOf(answer: unknown): Promise<string> {
  if (!(answer instanceof EventStream)) throw new Error("isn't a stream");
  return new Response(answer.body).text();
}

const recorded = async ({ db }: Context, model: string) => {
  const row = await db.generation.findFirstOrThrow({ where: { requestedModel: model }, include: withRelations });
  return toGeneration(row);
};

const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
const RECORD = {
  status: "succeeded",
  finish_reason: "stop",
  native_finish_reason: "STOP",
  tokens_prompt: 10,
  tokens_completion: 10,
  native_tokens_reasoning: 6,
  total_cost: 0.00003,
};

it("answers chat completions, and records them", async () => {
  const { context, model } = await gemini();
  const body = { model, messages: [{ role: "user", content: "hi" }], tools, reasoning_effort: "low", max_tokens: 50 };
  expect(await chat(context, body)).toMatchObject({
    choices: [{ message: { content: "Hello", reasoning: "Hm" }, finish_reason: "stop", native_finish_reason: "STOP" }],
    usage: { prompt_tokens: 10, completion_tokens: 10, completion_tokens_details: { reasoning_tokens: 6 } },
  });
  expect(await recorded(context, model)).toMatchObject(RECORD);
});

it("streams chat completions", async () => {
  const { context, model } = await gemini();
  const text = await textOf(await chat(context, { model, messages: [{ role: "user", content: "hi" }], stream: true }));
  expect([...text.matchAll(/"content":"(\w+)"/g)].map(([, word]) => word)).toEqual(["Hel", "lo"]);
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  expect(await recorded(context, model)).toMatchObject({ ...RECORD, streamed: true });
});

it("answers and streams responses", async () => {
  const { context, model } = await gemini();
  expect(await responses(context, { model, input: "hi", instructions: "be kind" })).toMatchObject({
    status: "completed",
    output: [{ type: "reasoning" }, { type: "message", content: [{ text: "Hello" }] }],
    usage: { input_tokens: 10, output_tokens: 10, output_tokens_details: { reasoning_tokens: 6 } },
  });
  expect(await textOf(await responses(context, { model, input: "hi", stream: true }))).toContain(
    "event: response.completed",
  );
});

it("names fields without a counterpart", async () => {
  const { context, model } = await gemini();
  const error: unknown = await chat(context, {
    model,
    messages: [{ role: "user", content: "hi" }],
    logit_bias: { 1: 2 },
    temprature: 1,
  }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect((error as ApiError).status).toBe(400);
  expect((error as ApiError).metadata).toMatchObject({ issues: [{ path: ["logit_bias"] }, { path: ["temprature"] }] });
});

it("embeds texts", async () => {
  const { url } = await upstreamServer((sent, response) => {
    void bodyOf(sent).then((text) => {
      const { requests } = JSON.parse(text) as { requests: unknown[] };
      const isKnown = sent.url?.endsWith(":batchEmbedContents") === true;
      response
        .writeHead(isKnown ? 200 : 404, { "content-type": "application/json" })
        .end(JSON.stringify({ embeddings: requests.map((_, index) => ({ values: [index, 0.5] })) }));
    });
  });
  const { context, model } = await at(url);
  const body = { model, input: ["a", "b"], encoding_format: "float" };
  const given = { params: {}, query: {}, body } as unknown as Parameters<typeof embeddings.create>[1];
  expect(await embeddings.create(context, given)).toMatchObject({
    data: [{ embedding: [0, 0.5] }, { embedding: [1, 0.5] }],
  });
});
