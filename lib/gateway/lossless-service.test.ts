import { beforeAll, describe, expect, it } from "vitest";
import * as guardrails from "../features/guardrails/service";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import { toGeneration, withRelations } from "../records/generations/rows";
import { createKey, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { TEST_SETTINGS } from "../testing/context";
import { testWorld } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import * as inference from "./service";

type Body = Record<string, unknown>;

let at: (url: string, protocol: "chat_completions" | "responses") => Promise<{ context: Context; model: string }>;
let filtered: (context: Context) => Promise<Context>;

beforeAll(async () => {
  const world = await testWorld({ settings: { ...TEST_SETTINGS, filterTimeoutMs: 60_000 } });
  let count = 0;
  at = async (url, protocol) => {
    count += 1;
    const providerId = await createProvider(world, { slug: `lossless-${count}`, baseUrl: url, protocol });
    const model = `lossless/${count}`;
    await createModel(world, { slug: model, providerId });
    const caller = keyCaller(world, (await createKey(world)).id);
    return { context: { ...world.context, caller, headers: new Headers() }, model };
  };
  filtered = async (context) => {
    const filter = { pattern: "SECRET-\\d", action: "redact" as const, label: "[S]", scope: "response" as const };
    const body = { name: `Answers ${count}`, content_filters: [filter] };
    const { id } = (await guardrails.create(world.context, { params: {}, query: {}, body })).data;
    await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: id } });
    return context;
  };
});

/** Creates an upstream that sends a whole body or events as its response, and keeps the requests. */
async function answering(answer: Body | readonly Body[]) {
  const received: Body[] = [];
  const { url } = await upstreamServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      received.push(JSON.parse(body) as Body);
      const isStream = Array.isArray(answer);
      response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
      const events = (isStream ? (answer as Body[]) : []).map((event) => `data: ${JSON.stringify(event)}\n\n`);
      response.end(isStream ? `${events.join("")}data: [DONE]\n\n` : JSON.stringify(answer));
    });
  });
  return { url, received };
}

async function eventsOf(answer: unknown): Promise<Body[]> {
  if (!(answer instanceof EventStream)) throw new Error("isn't a stream");
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of answer.body) text += decoder.decode(bytes, { stream: true });
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => JSON.parse(json) as Body);
}

const chat = (context: Context, body: Body) =>
  inference.createChatCompletion(context, {
    params: {},
    query: {},
    body: { stream: false, ...body },
  } as unknown as Parameters<typeof inference.createChatCompletion>[1]);
const responses = (context: Context, body: Body) =>
  inference.createResponse(context, {
    params: {},
    query: {},
    body: { stream: false, store: false, ...body },
  } as unknown as Parameters<typeof inference.createResponse>[1]);

const messages = [{ role: "user", content: "hi" }];
const usage = {
  prompt_tokens: 3,
  completion_tokens: 4,
  total_tokens: 7,
  prompt_tokens_details: { cached_tokens: 1, audio_tokens: 0, vendor_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 0, accepted_prediction_tokens: 1 },
  queue_time: 0.25,
};

const choice = (index: number, content: string) => ({
  index,
  message: {
    role: "assistant",
    content,
    refusal: null,
    annotations: [{ type: "url_citation", url_citation: { url: "https://a.example", title: "A" } }],
    audio: { id: "audio_1", data: "AAAA", transcript: content, expires_at: 1 },
    tool_calls: [
      {
        id: `c${index}`,
        type: "function",
        function: { name: "f", arguments: "{}", vendor: 1 },
        extra_content: { google: { thought_signature: "s" } },
      },
      { id: `d${index}`, type: "custom", custom: { name: "g", input: "x" } },
    ],
    vendor_field: { deep: [1, null, "x"] },
  },
  finish_reason: "stop",
  native_finish_reason: "stop",
  logprobs: { content: [{ token: "a", logprob: -1 }], refusal: null },
  content_filter_results: { hate: { filtered: false } },
});
const COMPLETION = {
  id: "chatcmpl-theirs",
  object: "chat.completion",
  created: 5,
  model: "their-model",
  system_fingerprint: "fp_1",
  service_tier: "default",
  choices: [choice(0, "one"), choice(1, "two")],
  citations: ["https://a.example"],
  search_results: [{ title: "A" }],
  provider: "Theirs",
  usage,
};

describe("a NUL in an answer", () => {
  it.each(["chat_completions", "responses"] as const)(
    "passes, and the record says that it was replaced: %s",
    async (protocol) => {
      const text = "a\0b";
      const part = { type: "output_text", text, annotations: [] };
      const output = [{ type: "message", id: "msg_1", status: "completed", role: "assistant", content: [part] }];
      const response = { id: "r", object: "response", status: "completed", model: "m", output, usage: null };
      const completion = { ...COMPLETION, choices: [{ index: 0, message: { role: "assistant", content: text } }] };
      const { url } = await answering(protocol === "responses" ? response : completion);
      const { context, model } = await at(url, protocol);
      const answer = await (protocol === "responses"
        ? responses(context, { model, input: "hi" })
        : chat(context, { model, messages }));
      expect(JSON.stringify(answer)).toContain(JSON.stringify(text));
      const { db } = context;
      const id = context.headers.get("x-generation-id") ?? "";
      const row = await db.generation.findFirstOrThrow({
        where: { id },
        include: { ...withRelations, content: true },
      });
      expect(toGeneration(row).replaced_characters).toBe(true);
      expect(row.content?.completion).toBe("a\ufffdb");
    },
  );
});

describe("a chat completion", () => {
  it("passes whole, all choices and unknown fields included", async () => {
    const { url, received } = await answering(COMPLETION);
    const { context, model } = await at(url, "chat_completions");
    const answer = await chat(context, { model, messages, n: 2, temprature: 1, chat_template_kwargs: { x: true } });
    expect(received[0]).toEqual({
      model,
      messages,
      n: 2,
      temprature: 1,
      chat_template_kwargs: { x: true },
      stream: false,
    });
    const { id, created, model: named, usage: charged, ...rest } = answer as unknown as Body;
    const { id: _, created: __, model: ___, usage: ____, ...expected } = COMPLETION;
    expect(rest).toEqual(expected);
    expect(charged).toMatchObject(usage);
    expect([id, named]).toEqual([context.headers.get("x-generation-id"), model]);
    expect(typeof created).toBe("number");
    const stored = await context.db.generationContent.findFirstOrThrow({ where: { generationId: String(id) } });
    const { annotations, audio, vendor_field } = choice(0, "one").message;
    const spoken = { id: audio.id, transcript: "one", expires_at: 1 };
    expect(stored.completion).toBe("one");
    expect(stored.choices).toMatchObject([
      { index: 0, message: { annotations, audio: spoken, vendor_field } },
      { index: 1, finish_reason: "stop", message: { content: "two", audio: { transcript: "two" } } },
    ]);
    const record = await context.db.generation.findFirstOrThrow({ where: { id: String(id) }, include: withRelations });
    expect(toGeneration(record).unknown_fields).toEqual(["temprature", "chat_template_kwargs"]);
    expect(context.headers.get("x-signalbox-warnings")).toBe(
      "unknown-field=temprature, unknown-field=chat_template_kwargs",
    );
  });

  it("passes as a stream, all choices and unknown fields included", async () => {
    const chunk = (fields: Body) => ({
      id: "c",
      object: "chat.completion.chunk",
      created: 5,
      model: "m",
      system_fingerprint: "fp_1",
      ...fields,
    });
    const delta = (index: number, words: Body, finish_reason: string | null = null, more: Body = {}) =>
      chunk({ choices: [{ index, delta: words, finish_reason, logprobs: null, ...more }], obfuscation: "xx" });
    const events = [
      delta(0, { role: "assistant", content: "", refusal: null }),
      delta(1, { role: "assistant", content: "" }),
      delta(1, { content: "two", vendor: { a: 1 } }),
      delta(0, { content: "one", annotations: [{ type: "x" }] }),
      delta(0, { audio: { id: "a", transcript: "hi", data: "AA" } }),
      delta(0, { function_call: { name: "f", arguments: "{}" } }),
      delta(0, {}, "stop", { content_filter_results: { a: 1 } }),
      delta(1, {}, "length"),
    ];
    const { url } = await answering([...events, chunk({ choices: [], usage })]);
    const { context, model } = await at(url, "chat_completions");
    const answer = await chat(context, {
      model,
      messages,
      n: 2,
      stream: true,
      stream_options: { include_usage: true },
    });
    const shown = await eventsOf(answer);
    const last = shown.pop();
    const without = ({ id: _, created: __, model: ___, ...rest }: Body) => rest;
    expect(shown.map(without)).toEqual(events.map(without));
    expect(last?.["usage"]).toMatchObject(usage);
  });

  it("is redacted in every choice, whole and streamed, without joining texts of different choices", async () => {
    const whole = await answering({
      ...COMPLETION,
      choices: [choice(0, "a SECRET-1"), choice(1, "a SECRET-2")],
      citations: ["SECRET-3"],
    });
    const one = await at(whole.url, "chat_completions");
    const answer = JSON.stringify(await chat(await filtered(one.context), { model: one.model, messages, n: 2 }));
    expect(answer).not.toContain("SECRET");
    expect(answer.match(/\[S\]/g)?.length).toBeGreaterThanOrEqual(5);
    const pieces = [0, 1].flatMap((index) =>
      ["a SEC", "RET-", "7 b"].map((content) => ({ choices: [{ index, delta: { content }, finish_reason: null }] })),
    );
    const interleaved = [0, 3, 1, 4, 2, 5].map((place) => pieces[place] as Body);
    const ends = [0, 1].map((index) => ({ choices: [{ index, delta: {}, finish_reason: "stop" }] }));
    const streamed = await answering([...interleaved, ...ends]);
    const two = await at(streamed.url, "chat_completions");
    const shown = await eventsOf(await chat(two.context, { model: two.model, messages, n: 2, stream: true }));
    const said = (index: number) =>
      shown
        .flatMap(({ choices }) => choices as { index: number; delta: { content?: string } }[])
        .filter((given) => given.index === index)
        .map(({ delta }) => delta.content ?? "")
        .join("");
    expect([said(0), said(1)]).toEqual(["a [S] b", "a [S] b"]);
  });
});

describe("a response", () => {
  const output = [
    { type: "brand_new", id: "x_1", anything: { a: 1 } },
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "hi", annotations: [], logprobs: [], vendor: 1 }],
    },
  ];
  const RESPONSE = {
    id: "resp_theirs",
    object: "response",
    created_at: 5,
    status: "completed",
    error: null,
    incomplete_details: null,
    model: "their-model",
    output,
    temperature: 0.7,
    top_p: 0.9,
    top_logprobs: 2,
    presence_penalty: 0,
    frequency_penalty: 0,
    truncation: "disabled",
    service_tier: "default",
    max_output_tokens: 99,
    reasoning: { effort: "low", summary: null },
    billing: { payer: "developer" },
    usage: {
      input_tokens: 3,
      input_tokens_details: { cached_tokens: 1, vendor_tokens: 2 },
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 7,
      queue_time: 0.25,
    },
  };
  const sent = {
    input: "hi",
    presence_penalty: 0.5,
    top_k: 4,
    top_logprobs: 2,
    stream_options: { include_obfuscation: false },
    vendor: { a: 1 },
  };
  const { id: _, model: __, created_at: ___, usage: counted, ...passed } = RESPONSE;

  it("passes whole", async () => {
    const { url, received } = await answering(RESPONSE);
    const { context, model } = await at(url, "responses");
    const answer = (await responses(context, { model, ...sent })) as unknown as Body;
    expect(received[0]).toEqual({ model, ...sent, store: false, stream: false });
    expect(answer).toMatchObject({ ...passed, id: context.headers.get("x-generation-id"), model });
    expect(answer["usage"]).toMatchObject(counted);
    expect(answer["output"]).toEqual(output);
  });

  it("passes as a stream", async () => {
    const events = [
      { type: "response.brand_new", output_index: 0, note: [1, null] },
      { type: "response.output_item.done", output_index: 0, item: output[0], vendor: 1 },
      { type: "response.output_item.done", output_index: 1, item: output[1] },
    ];
    const { url } = await answering([...events, { type: "response.completed", response: RESPONSE }]);
    const { context, model } = await at(url, "responses");
    const shown = await eventsOf(await responses(context, { model, ...sent, stream: true }));
    const without = ({ sequence_number: _n, ...rest }: Body) => rest;
    expect(shown.slice(2, -1).map(without)).toEqual(events);
    expect(shown.at(-1)?.["response"]).toMatchObject(passed);
  });
});
