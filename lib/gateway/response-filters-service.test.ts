import { createParser } from "eventsource-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "../server/bootstrap";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import * as guardrails from "../features/guardrails/service";
import type { CreateGuardrailBody } from "../records/guardrails/contract";
import * as generations from "../records/generations/service";
import { failure } from "../testing/expect-failure";
import { createKey, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { NOW, testWorld, type World } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import { MessagesBody } from "../engine/protocols/contracts/messages-request-contract";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../engine/protocols/contracts/responses-request-contract";
import { create as createMessage } from "./messages-service";
import * as inference from "./service";

/** A workspace whose default guardrail has the given filters. */
async function worldWith(filters: Partial<CreateGuardrailBody>): Promise<{ world: World; at: () => Context }> {
  const world = await testWorld();
  const { db } = world.context;
  await createSandbox(db, world.organizationId, NOW);
  const body = { name: "Answers", ...filters };
  const { id } = (await guardrails.create(world.context, { params: {}, query: {}, body })).data;
  await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: id } });
  const caller = keyCaller(world, (await createKey(world)).id);
  return { world, at: () => ({ ...world.context, caller, headers: new Headers() }) };
}

const email = (action: "redact" | "block", scope: "request" | "response" | "both" = "response") => ({
  content_filter_builtins: [{ slug: "email" as const, action, scope }],
});
const PROMPT = "Write to ada@example.com today";

const respond = (request: object, at: Context) =>
  inference.createResponse(at, { params: {}, query: {}, body: ResponsesBody.parse(request) });
const chat = (request: object, at: Context) =>
  inference.createChatCompletion(at, { params: {}, query: {}, body: ChatCompletionsBody.parse(request) });
const message = (request: object, at: Context) =>
  createMessage(at, { params: {}, query: {}, body: MessagesBody.parse({ max_tokens: 100, ...request }) });
const messages = [{ role: "user", content: PROMPT }];

async function textOf(answer: unknown): Promise<string> {
  if (!(answer instanceof EventStream)) throw new Error("expected a stream");
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of answer.body) text += decoder.decode(bytes, { stream: true });
  return text;
}
function dataOf(stream: string): Record<string, unknown>[] {
  const events: Record<string, unknown>[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== "[DONE]") events.push(JSON.parse(data) as Record<string, unknown>);
    },
  });
  parser.feed(stream);
  return events;
}

const recordOf = async (world: World, { headers }: Context) => {
  const id = headers.get("x-generation-id") ?? "";
  const { data } = await generations.get(world.context, { params: {}, body: undefined, query: { id } });
  const content = await world.context.db.generationContent.findFirst({ where: { generationId: id } });
  return { ...data, content };
};

describe("a redacted answer", () => {
  let world: World;
  let at: () => Context;
  beforeAll(async () => {
    ({ world, at } = await worldWith(email("redact")));
  });

  it.each([
    ["a chat completion", () => chat({ model: "sandbox/echo", messages }, at()), "You said: Write to [EMAIL] today"],
    ["a response", () => respond({ model: "sandbox/echo", input: PROMPT }, at()), "Write to [EMAIL] today"],
    ["a message", () => message({ model: "sandbox/echo", messages }, at()), "You said: Write to [EMAIL] today"],
  ])("of %s is returned redacted", async (_, send, text) => {
    expect(JSON.stringify(await send())).toContain(text);
  });

  it("is redacted in streams of every protocol, in every event", async () => {
    for (const stream of [
      await chat({ model: "sandbox/echo", messages, stream: true }, at()),
      await respond({ model: "sandbox/echo", input: PROMPT, stream: true }, at()),
      await message({ model: "sandbox/echo", messages, stream: true }, at()),
    ]) {
      const text = await textOf(stream);
      expect(text).toContain("[EMAIL]");
      expect(text.replace(/"echo.*/, "")).not.toContain("ada@");
    }
  });

  it("is recorded with the decision, and the request is sent unchanged", async () => {
    const context = at();
    await chat({ model: "sandbox/echo", messages }, context);
    const record = await recordOf(world, context);
    expect(record).toMatchObject({
      status: "succeeded",
      content: { input: { messages }, completion: "You said: Write to [EMAIL] today" },
      decisions: [
        {
          rule: "email",
          action: "redact",
          direction: "response",
          spans: [{ path: ["choices", 0, "message", "content"], start: 19, end: 34 }],
        },
      ],
    });
    expect(record.decisions[0]).not.toHaveProperty("withheld");
  });

  it("shows in the pipeline, after the upstream", async () => {
    const context = at();
    const { service_metadata } = (await chat(
      { model: "sandbox/echo", messages },
      { ...context, client: { ...context.client, wantsMetadata: true } },
    )) as { service_metadata?: { pipeline: { type: string; summary: string }[] } };
    expect(service_metadata?.pipeline.map(({ type, summary }) => `${type} ${summary}`).slice(-2)).toEqual([
      "upstream sandbox/echo answered 200",
      "guardrail email: redacted in the answer by Answers",
    ]);
  });
});

describe("a blocked answer", () => {
  let world: World;
  let at: () => Context;
  beforeAll(async () => {
    ({ world, at } = await worldWith(email("block")));
  });
  const refusal = { status: 403, message: "Response blocked by content filter: [EMAIL]" };

  it.each([
    ["chat completion", (context: Context) => chat({ model: "sandbox/echo", messages }, context)],
    ["chat stream", (context: Context) => chat({ model: "sandbox/echo", messages, stream: true }, context)],
    ["response", (context: Context) => respond({ model: "sandbox/echo", input: PROMPT }, context)],
    [
      "Responses stream",
      (context: Context) => respond({ model: "sandbox/echo", input: PROMPT, stream: true }, context),
    ],
  ])("is a 403 before the first byte of a %s, and charged", async (_, send) => {
    const context = at();
    expect(await failure(send(context))).toMatchObject({
      status: 403,
      metadata: { blocked_by: [{ rule: "email", guardrail_name: "Answers", direction: "response" }] },
    });
    expect(await recordOf(world, context)).toMatchObject({
      status: "blocked",
      error: refusal,
      tokens_completion: expect.any(Number) as number,
      total_cost: expect.any(Number) as number,
      content: { completion: null },
      decisions: [{ rule: "email", action: "block", direction: "response", withheld: 40 }],
    });
    expect((await recordOf(world, context)).total_cost).toBeGreaterThan(0);
  });

  it("ends a stream that has begun with one error event, and the upstream's answer with it", async () => {
    const long = `${"words ".repeat(400)}ada@example.com ${"more ".repeat(400)}`;
    const chatContext = at();
    const chunks = dataOf(
      await textOf(
        await chat({ model: "sandbox/echo", messages: [{ role: "user", content: long }], stream: true }, chatContext),
      ),
    );
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.slice(-2)).toMatchObject([
      { error: { code: 403, message: refusal.message } },
      { choices: [{ finish_reason: "content_filter" }] },
    ]);
    expect(JSON.stringify(chunks)).not.toContain("ada@");

    const context = at();
    const events = dataOf(await textOf(await respond({ model: "sandbox/echo", input: long, stream: true }, context)));
    expect(events.filter(({ type }) => /failed|completed/.test(String(type)))).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "content_filter", message: refusal.message } },
    });
    expect(JSON.stringify(events)).not.toContain("ada@");
    const record = await recordOf(world, context);
    expect(record).toMatchObject({ status: "blocked", usage_estimated: true });
    expect(record.content?.completion).toMatch(/^You said: [words ]+$/);
    expect(record.decisions[0]?.withheld).toBeGreaterThan(15);
    expect(record.total_cost).toBeGreaterThan(0);
  });
});

describe("scopes", () => {
  it("both filters the request and the answer; an answer to a redacted request has nothing left to redact", async () => {
    const { world, at } = await worldWith(email("redact", "both"));
    const context = at();
    await chat({ model: "sandbox/echo", messages }, context);
    const { decisions } = await recordOf(world, context);
    expect(decisions.map(({ direction = "request" }) => direction)).toEqual(["request"]);
  });

  it("request leaves answers alone", async () => {
    const { at } = await worldWith({ content_filters: [{ pattern: "You said", action: "block" }] });
    expect(await chat({ model: "sandbox/echo", messages: [{ role: "user", content: "Hi" }] }, at())).toMatchObject({
      choices: [{ message: { content: "You said: Hi" } }],
    });
  });
});

describe("the relay of a Responses upstream", () => {
  it("redacts its events, keeps unknown ones, and closes the connection of a blocked answer", async () => {
    const text = `See ada@example.com. ${"Nothing else. ".repeat(100)}`;
    const sse = (event: { type: string } & Record<string, unknown>) =>
      `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    const item = { type: "message", id: "m", role: "assistant", status: "completed" };
    const part = { type: "output_text", text, annotations: [], logprobs: [] };
    const { url, open } = await upstreamServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const place = { item_id: "m", output_index: 0, content_index: 0 };
      response.write(
        sse({
          type: "response.output_item.added",
          output_index: 0,
          item: {
            ...item,
            content: [],
          },
        }),
      );
      for (const delta of text.match(/[^]{1,6}/g) ?? [])
        response.write(
          sse({
            type: "response.output_text.delta",
            ...place,
            delta,
            logprobs: [],
          }),
        );
      response.write(
        sse({
          type: "response.tomorrow",
          note: "mail ada@example.com",
        }),
      );
      response.write(
        sse({
          type: "response.output_text.done",
          ...place,
          text,
        }),
      );
      response.write(
        sse({
          type: "response.content_part.done",
          ...place,
          part,
        }),
      );
      response.write(
        sse({
          type: "response.output_item.done",
          output_index: 0,
          item: {
            ...item,
            content: [part],
          },
        }),
      );
      const usage = { input_tokens: 9, output_tokens: 9, total_tokens: 18 };
      const done = { id: "r", status: "completed", output: [{ ...item, content: [part] }], usage };
      response.write(
        sse({
          type: "response.completed",
          response: done,
        }),
      );
    });
    for (const action of ["redact", "block"] as const) {
      const { world, at } = await worldWith(email(action));
      const providerId = await createProvider(world, { baseUrl: url });
      await world.context.db.provider.update({ where: { id: providerId }, data: { protocol: "responses" } });
      await createModel(world, { slug: "acme/one", providerId });
      const context = at();
      const sent = respond({ model: "acme/one", input: "Hi", stream: true }, context);
      if (action === "block") expect(await failure(sent)).toMatchObject({ status: 403 });
      else {
        const events = dataOf(await textOf(await sent));
        expect(JSON.stringify(events)).not.toContain("ada@");
        expect(events.map(({ type }) => type)).toContain("response.tomorrow");
        const safe = text.replace("ada@example.com", "[EMAIL]");
        expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { output_text: safe } });
        expect(await recordOf(world, context)).toMatchObject({ content: { completion: safe }, tokens_completion: 9 });
        const asChat = await chat({ model: "acme/one", messages, stream: true }, at());
        const deltas = dataOf(await textOf(asChat)).map(
          ({ choices }) => (choices as { delta: { content?: string } }[])[0]?.delta.content ?? "",
        );
        expect(deltas.join("")).toBe(safe);
      }
    }
    await expect.poll(() => open.size).toBe(0);
  });
});

it("applies to an upstream's error, which may quote what the model wrote", async () => {
  const { url } = await upstreamServer((_, response) => {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: "invalid call", failed_generation: PROMPT } }));
  });
  for (const [action, raw] of [
    ["redact", expect.stringContaining("Write to [EMAIL] today")],
    ["block", null],
  ] as const) {
    const { world, at } = await worldWith(email(action));
    const providerId = await createProvider(world, { slug: "acme", baseUrl: url });
    await createModel(world, { slug: "acme/one", providerId });
    expect(await failure(chat({ model: "acme/one", messages }, at()))).toMatchObject({ metadata: { raw } });
  }
});

it("neither the requested metadata nor the record has a text of an upstream's error or a property name that was redacted", async () => {
  const answers = [
    { status: 500, body: { error: { message: `overloaded: ${PROMPT}` } } },
    {
      status: 200,
      body: {
        choices: [
          {
            index: 0,
            finish_reason: "stop",
            message: { role: "assistant", content: "k", "eve@example.com": { a: PROMPT } },
          },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      },
    },
    { status: 400, body: { error: { message: PROMPT } } },
  ];
  const { url } = await upstreamServer((_, response) => {
    const { status, body } = answers.shift() ?? { status: 404, body: {} };
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  const { world, at } = await worldWith(email("redact"));
  const providerId = await createProvider(world, { slug: "acme", baseUrl: url });
  for (const slug of ["acme/one", "acme/two"]) await createModel(world, { slug, providerId });
  const withMetadata = () => ({ ...at(), client: { ...at().client, wantsMetadata: true } });
  const context = withMetadata();
  const answer = await chat({ model: "acme/one", models: ["acme/two"], messages }, context);
  const failing = withMetadata();
  const failed = await failure(chat({ model: "acme/one", messages }, failing));
  expect(JSON.stringify([answer, failed.metadata])).not.toMatch(/(?:ada|eve)@example/);
  expect(answer).toMatchObject({
    service_metadata: {
      pipeline: expect.arrayContaining([
        expect.objectContaining({ type: "upstream", summary: "Provider returned error" }),
        expect.objectContaining({ summary: "email: redacted in the answer by Answers" }),
      ]) as unknown,
    },
  });
  const { decisions, attempts } = await recordOf(world, context);
  expect(attempts.map(({ error }) => error)).toEqual([expect.stringContaining("Write to [EMAIL] today"), null]);
  const record = await recordOf(world, failing);
  expect(record.error?.message).toBe("Write to [EMAIL] today");
  expect(record.attempts.map(({ error }) => error)).toEqual(["Write to [EMAIL] today"]);
  expect(record.content?.error).toMatchObject({
    raw: JSON.stringify({ error: { message: "Write to [EMAIL] today" } }),
  });
  expect(decisions.flatMap(({ spans }) => spans.map(({ path }) => path.join(".")))).toEqual([
    "choices.0.message.[property name].[property name]",
    "choices.0.message.[property name]",
  ]);
});

it.each(["redact", "block"] as const)("applies to the body that debug.echo_upstream_body sends: %s", async (action) => {
  const { at } = await worldWith(email(action));
  const request = { model: "sandbox/echo", stream: true, debug: { echo_upstream_body: true }, max_tokens: 2, messages };
  if (action === "block") expect(await failure(chat(request, at()))).toMatchObject({ status: 403 });
  else expect(await textOf(await chat(request, at()))).toContain('"content":"Write to [EMAIL] today"');
});

describe("an upstream's error whose value is split over several texts", () => {
  const PARTS = {
    type: "PROJ",
    message: "ECT-FALCON was refused",
    code: "limit",
    param: "PROJECT",
    metadata: "-FALCON",
  };
  it.each([
    ["redact", "[P] was refused", { type: "[P]", param: "[P]", raw: null }],
    ["block", "Provider returned error", { raw: null }],
  ] as const)("has it in no text and no record: %s", async (action, text, shown) => {
    const { url } = await upstreamServer((_, response) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: PARTS }));
    });
    const pattern = { pattern: "PROJECT-FALCON", action, label: "[P]", scope: "response" as const };
    const { world, at } = await worldWith({ content_filters: [pattern] });
    const providerId = await createProvider(world, { slug: "acme", baseUrl: url });
    await createModel(world, { slug: "acme/one", providerId });
    const context = at();
    const { metadata } = await failure(chat({ model: "acme/one", messages }, context));
    expect(metadata).toMatchObject(shown);
    const { error, attempts, content } = await recordOf(world, context);
    expect(error?.message).toBe(text);
    for (const recorded of [metadata, error, attempts, content?.error])
      expect(JSON.stringify(recorded)).not.toMatch(/PROJ|FALCON/);
  });
});
